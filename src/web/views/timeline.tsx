import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ClientFeedMessage } from "../../client/client-types.js";
import { buckets, knownBuckets, refreshBuckets } from "../buckets.js";
import { isReset, reloadOnChanges } from "../live/changes.js";
import { onFeed } from "../live/feed.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { dayAt, periodAround } from "../period.js";
import { recoveries } from "../recoveries.js";
import { href, navigate, type Params, route } from "../router.js";
import { currentCalendar } from "../settings.js";
import { t as shell } from "../texts/shell.js";
import { t } from "../texts/timeline.js";
import { Panel, Tooltip } from "./timeline/details.js";
import { LaneEvents } from "./timeline/lane-events.js";
import { printHidden, readHidden } from "./timeline/lanes.js";
import { Legends } from "./timeline/legend.js";
import { createModel, spanOf, type TimelineModel } from "./timeline/model.js";
import { printWindow, readWindow, type TimeWindow } from "./timeline/scale.js";
import { Stage } from "./timeline/stage.js";
import { Toolbar } from "./timeline/toolbar.js";

/** Delay before a move updates the address, in milliseconds: browsers limit changes per minute. */
const ADDRESS_DELAY = 300;

/** Every bucket as a lane along time. */
export default function TimelineView(): JSX.Element {
  const listed = buckets.value;
  const isKnown = listed.state === "ready" || knownBuckets.value.length > 0;
  const given = readWindow(route.value.params);
  if (listed.state === "failed" && !isKnown) return <Failure error={listed.error} retry={refreshBuckets} />;
  if (!isKnown) return <Busy />;
  if (knownBuckets.value.length === 0) return <Empty />;
  return <Timeline begin={given ?? lastDay()} />;
}

function Empty(): JSX.Element {
  return (
    <section class="card">
      <h1>{shell("timeline")}</h1>
      <p>{t("noBuckets")}</p>
      <a class="button primary" href={href(["welcome"])}>
        {t("startWatcher")}
      </a>
    </section>
  );
}

/** Today, or the last day with activity. */
function lastDay(): TimeWindow {
  const now = Date.now();
  const last = Math.min(now, spanOf(knownBuckets.peek())?.end ?? now);
  const { start, end } = periodAround("day", dayAt(last, currentCalendar.peek()), currentCalendar.peek());
  return { start, end };
}

function Timeline({ begin }: { readonly begin: TimeWindow }): JSX.Element {
  const model = useMemo(() => {
    const created = createModel(begin);
    // Before the first paint: hiding lanes later would move those below.
    show(created, route.peek().params);
    return created;
  }, []);
  useAddress(model);
  useEffect(() => () => model.store.close(), []);
  useEffect(() => followChanges(model), []);
  const isFirst = useRef(true);
  useSignalEffect(() => {
    void recoveries.value;
    if (isFirst.current) isFirst.current = false;
    else model.store.retry();
  });
  const failure = model.failure.value;
  return (
    <div class="timeline" aria-busy={model.isBusy.value}>
      <h1 class="unseen">{shell("timeline")}</h1>
      <Toolbar model={model} goToday={() => model.move(lastDay())} />
      {failure !== undefined && <Failure error={failure} retry={() => model.store.retry()} />}
      {model.lanes.value.length === 0 && <p class="notice">{t("allHidden")}</p>}
      <div class="tl-main">
        <Stage model={model} />
        <div class="tl-side">
          <Panel model={model} />
          <Legends model={model} />
          <details class="tl-help">
            <summary class="button" aria-label={t("help")} title={t("help")}>
              ?
            </summary>
            <p>{t("keys")}</p>
          </details>
        </div>
      </div>
      <p class="unseen" id="timeline-keys">
        {t("keys")}
      </p>
      <LaneEvents model={model} />
      <Tooltip model={model} />
    </div>
  );
}

/** Loads tiles again whose events have changed. */
function followChanges({ store }: TimelineModel): () => void {
  const isMeant = (message: ClientFeedMessage): boolean => message.type === "events" || isReset(message);
  const stops = [
    onFeed((message) => {
      if (isReset(message)) store.expire();
      else if (message.type === "events") store.expire(message.bucket, rangeOf(message));
    }),
    reloadOnChanges(isMeant, async () => store.refresh()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The time of a changed event; `undefined` if only its bucket is known. */
function rangeOf(message: ClientFeedMessage): TimeWindow | undefined {
  // A replaced event may have been at another time.
  if (!("event" in message) || message.action === "replaced") return undefined;
  const start = Date.parse(message.event.timestamp);
  return { start, end: start + message.event.duration * 1000 };
}

/** Keeps address and displayed state in sync, for back, reload and bookmarks. */
function useAddress(model: TimelineModel): void {
  const written = useRef("");
  useSignalEffect(() => {
    const { path, params } = route.value;
    if (path[0] !== "timeline" || params.toString() === written.current) return;
    written.current = params.toString();
    show(model, params);
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      timer = undefined;
      if (route.peek().path[0] !== "timeline") return;
      const params = paramsOf(model);
      written.current = new URLSearchParams(href([], params).split("?")[1]).toString();
      navigate(["timeline"], params, { replace: true });
    };
    const watch = [model.window, model.hidden, model.host, model.coloring].map((one) =>
      one.subscribe(() => {
        timer ??= setTimeout(write, ADDRESS_DELAY);
      }),
    );
    return () => {
      clearTimeout(timer);
      for (const end of watch) end();
    };
  }, []);
}

/** Applies an address. */
function show(model: TimelineModel, params: URLSearchParams): void {
  const window = readWindow(params);
  if (window !== undefined) model.window.value = window;
  model.hidden.value = readHidden(params.get("hide"));
  model.host.value = params.get("host") ?? undefined;
  model.coloring.value = params.get("color") === "kind" ? "kind" : "category";
}

function paramsOf(model: TimelineModel): Params {
  return {
    ...printWindow(model.window.peek()),
    hide: printHidden(model.hidden.peek()),
    host: model.host.peek(),
    color: model.coloring.peek() === "kind" ? "kind" : undefined,
  };
}
