import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { client } from "../../api.js";
import { useLoad } from "../../load.js";
import { href } from "../../router.js";
import { t } from "../../texts/timeline.js";
import { EventFacts } from "./event-facts.js";
import type { Hit } from "./hits.js";
import type { TimelineModel } from "./model.js";

/** How far from the pointer, and from the edges of the window, in pixels. */
const AWAY = 14;

/** What the pointer is at. */
export function Tooltip({ model }: { readonly model: TimelineModel }): JSX.Element | null {
  const pointed = model.pointed.value;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || pointed === undefined) return;
    const { width, height } = element.getBoundingClientRect();
    const [right, bottom] = [document.documentElement.clientWidth, globalThis.innerHeight];
    const left = pointed.x + AWAY + width > right ? pointed.x - AWAY - width : pointed.x + AWAY;
    const top = pointed.y + AWAY + height > bottom ? pointed.y - AWAY - height : pointed.y + AWAY;
    element.style.left = `${Math.max(4, left)}px`;
    element.style.top = `${Math.max(4, top)}px`;
  });
  if (pointed === undefined) return null;
  const { hit } = pointed;
  return (
    <div ref={box} class="tl-tooltip" role="tooltip">
      <EventFacts hit={hit} look={model.look.value(hit.lane.type, hit.data)} zone={model.zone.value} most={300} />
    </div>
  );
}

/** The event that was chosen. */
export function Pinned({ model }: { readonly model: TimelineModel }): JSX.Element | null {
  const hit = model.pinned.value;
  if (hit === undefined) return null;
  return <PinnedCard key={`${hit.lane.bucketId} ${hit.id ?? hit.start}`} hit={hit} model={model} />;
}

function PinnedCard({ hit, model }: { readonly hit: Hit; readonly model: TimelineModel }): JSX.Element {
  const { bucketId, type } = hit.lane;
  // What is drawn is cut to the tiles that are there.
  const whole = useLoad(`${bucketId} ${hit.id}`, async (signal) => {
    if (hit.id === undefined) return hit;
    const { timestamp, duration, data } = await client.events.get(bucketId, hit.id, { signal });
    const start = Date.parse(timestamp);
    return { ...hit, start, end: start + Math.max(0, duration * 1000), seconds: duration, data };
  });
  const shown = whole.state === "ready" ? whole.value : hit;
  const length = shown.end - shown.start;
  const zoom = (): void => {
    model.move({ start: shown.start - 0.1 * length - 500, end: shown.end + 0.1 * length + 500 });
  };
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => card.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <section ref={card} class="card tl-pinned" aria-label={t("chosen")} aria-live="polite">
      <EventFacts hit={shown} look={model.look.value(type, shown.data)} zone={model.zone.value} most={2_000} />
      <div class="row">
        <a class="button" href={href(["buckets", bucketId], { at: new Date(shown.start).toISOString() })}>
          {t("open")}
        </a>
        <button type="button" onClick={zoom}>
          {t("zoomTo")}
        </button>
        <button type="button" onClick={() => model.pin(undefined)}>
          {t("close")}
        </button>
      </div>
    </section>
  );
}
