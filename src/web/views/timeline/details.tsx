import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { client } from "../../api.js";
import { useLoad } from "../../load.js";
import { href } from "../../router.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/timeline.js";
import { CategorizeEvent } from "./categorize-event.js";
import { EventActions } from "./event-actions.js";
import { EventFacts } from "./event-facts.js";
import { isAway } from "./gaps.js";
import type { Hit } from "./hits.js";
import { LabelTime } from "./label-time.js";
import type { Pointed as PointedAt, TimelineModel } from "./model.js";

/** Distance from the pointer and from the window's edges, in pixels. */
const AWAY = 14;

/** Tooltip of the event under the pointer. */
export function Tooltip({ model }: { readonly model: TimelineModel }): JSX.Element | null {
  const pointed = model.pointed.value;
  return pointed === undefined ? null : <Pointed key={keyOf(pointed.hit)} {...{ pointed, model }} />;
}

interface PointedProps {
  readonly pointed: PointedAt;
  readonly model: TimelineModel;
}

function Pointed({ pointed, model }: PointedProps): JSX.Element {
  const { hit, isWhole } = useWhole(pointed.hit, pointed.hit.isCut && !pointed.isOutdated);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    const [right, bottom] = [document.documentElement.clientWidth, globalThis.innerHeight];
    const left = pointed.x + AWAY + width > right ? pointed.x - AWAY - width : pointed.x + AWAY;
    const top = pointed.y + AWAY + height > bottom ? pointed.y - AWAY - height : pointed.y + AWAY;
    element.style.left = `${Math.max(4, left)}px`;
    element.style.top = `${Math.max(4, top)}px`;
  });
  const look = model.look.value(hit.lane.type, hit.data);
  return (
    <div ref={box} class="tl-tooltip" role="tooltip">
      <EventFacts {...{ hit, look, isWhole }} zone={model.zone.value} most={300} />
    </div>
  );
}

/** The selected event, or a form for selected time. */
export function Panel({ model }: { readonly model: TimelineModel }): JSX.Element {
  const time = model.selected.value;
  const hit = model.pinned.value;
  if (time?.isFinal) {
    return (
      <PanelCard key={`${time.start} ${time.end}`} label={t("selectedTime")} model={model} isLive={false}>
        <LabelTime {...{ time, model }} isFocused />
      </PanelCard>
    );
  }
  if (hit === undefined) return <p class="tl-hint">{t("selectHint")}</p>;
  return (
    <PanelCard key={keyOf(hit)} label={t("chosen")} model={model} isLive>
      <PinnedEvent hit={hit} model={model} />
    </PanelCard>
  );
}

interface PanelCardProps {
  readonly label: string;
  readonly model: TimelineModel;
  /** Whether changes are announced: a form gets the focus instead. */
  readonly isLive: boolean;
  readonly children: ComponentChildren;
}

function PanelCard({ label, model, isLive, children }: PanelCardProps): JSX.Element {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => card.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <section
      ref={card}
      class="card tl-pinned"
      aria-label={label}
      aria-live={isLive ? "polite" : undefined}
      onKeyDown={({ key, target }) => {
        // Dialogs of the panel close themselves.
        if (key === "Escape" && target instanceof Element && !target.closest("dialog")) model.pin(undefined);
      }}
    >
      {children}
    </section>
  );
}

function keyOf({ lane, id, start }: Hit): string {
  return `${lane.bucketId} ${id ?? start}`;
}

/** Loads the complete event, since the displayed one is cut to the loaded tiles. @param isAsked whether to load it */
function useWhole(hit: Hit, isAsked: boolean): { readonly hit: Hit; readonly isWhole: boolean } {
  const { bucketId } = hit.lane;
  const { id } = hit;
  const whole = useLoad(`${bucketId} ${id} ${isAsked}`, async (signal) => {
    if (id === undefined || !isAsked) return undefined;
    const { timestamp, duration, data } = await client.events.get(bucketId, id, { signal });
    const start = Date.parse(timestamp);
    // A running entry has no duration yet.
    if (data["running"] === true) return { data };
    return { start, end: start + Math.max(0, duration * 1000), seconds: duration, data };
  });
  const found = whole.state === "ready" ? whole.value : undefined;
  return { hit: { ...hit, ...found }, isWhole: isAsked ? whole.state !== "loading" : !hit.isCut };
}

function PinnedEvent({ hit, model }: { readonly hit: Hit; readonly model: TimelineModel }): JSX.Element {
  const { bucketId, type } = hit.lane;
  const { hit: shown, isWhole } = useWhole(hit, true);
  const length = shown.end - shown.start;
  const zoom = (): void => {
    model.move({ start: shown.start - 0.1 * length - 500, end: shown.end + 0.1 * length + 500 });
  };
  return (
    <>
      <EventFacts
        hit={shown}
        look={model.look.value(type, shown.data)}
        zone={model.zone.value}
        most={2_000}
        isWhole={isWhole}
      />
      <div class="row">
        {hit.id !== undefined && <EventActions {...{ bucketId, model }} id={hit.id} seconds={shown.seconds} />}
        {hit.id !== undefined && <CategorizeEvent hit={shown} />}
        <button type="button" onClick={zoom}>
          {t("zoomTo")}
        </button>
        <a class="button" href={href(["buckets", bucketId], { at: new Date(shown.start).toISOString() })}>
          {t("open")}
        </a>
        <button type="button" onClick={() => model.pin(undefined)}>
          {common("close")}
        </button>
      </div>
      {isAway(shown) && isWhole && <LabelTime time={shown} model={model} isFocused={false} />}
    </>
  );
}
