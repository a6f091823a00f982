// The state of an open timeline.
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ClientBucket } from "../../../client/index.js";
import type { JsonObject } from "../../../domain/json.js";
import { client } from "../../api.js";
import { hosts, knownBuckets } from "../../buckets.js";
import { effectiveCategories } from "../../category-state.js";
import { type AskClasses, Classifier } from "../../classifier.js";
import { termsForEvents } from "../../filter/for-events.js";
import { validFilter } from "../../filter/state.js";
import { isFeedAlive } from "../../live/feed.js";
import { periodAround } from "../../period.js";
import { currentCalendar, stored, zone } from "../../settings.js";
import { scheme } from "../../theme.js";
import type { Hit } from "./hits.js";
import { isManual, type Lane, lanesOf, lanesOfHost } from "./lanes.js";
import type { LegendEntry } from "./legend.js";
import { type Coloring, createLooks, isClassified, type Look } from "./looks.js";
import { clamped, middleOf, resized, type TimeWindow } from "./scale.js";
import { atDate } from "./steps.js";
import { TileStore } from "./tile-store.js";
import { type TilePlace, tileRequest, tilesOf } from "./tiles.js";

const DAY = 86_400_000;

/** A hovered item with its position. */
export interface Pointed {
  readonly hit: Hit;
  /** Whether its lane was outdated. */
  readonly isOutdated: boolean;
  /** In window pixels. */
  readonly x: number;
  readonly y: number;
}

/** Time that is selected to be labeled. */
export interface SelectedTime extends TimeWindow {
  /** Whether the drag has ended. */
  readonly isFinal: boolean;
}

/** State that the parts of the view share. */
export interface TimelineModel {
  readonly window: Signal<TimeWindow>;
  readonly hidden: Signal<ReadonlySet<string>>;
  readonly coloring: Signal<Coloring>;
  /** Host whose lanes are shown; `undefined` = all. */
  readonly host: Signal<string | undefined>;
  /** Lanes of the host. */
  readonly allLanes: ReadonlySignal<readonly Lane[]>;
  /** Lanes that are not hidden. */
  readonly lanes: ReadonlySignal<readonly Lane[]>;
  /** The lane that keys and the event list apply to. */
  readonly focused: ReadonlySignal<Lane | undefined>;
  readonly look: ReadonlySignal<(type: string, data: JsonObject) => Look>;
  readonly pointed: Signal<Pointed | undefined>;
  readonly pinned: Signal<Hit | undefined>;
  readonly selected: Signal<SelectedTime | undefined>;
  /** Hosts without events in view, which have no lanes. */
  readonly folded: Signal<ReadonlySet<string>>;
  readonly zone: ReadonlySignal<string>;
  /** Increases when tiles are loaded. */
  readonly version: Signal<number>;
  /** Increases when events were changed here. */
  readonly round: Signal<number>;
  readonly isBusy: Signal<boolean>;
  readonly failure: Signal<unknown>;
  /** Meaning of the visible colors. */
  readonly legend: Signal<readonly LegendEntry[]>;
  readonly store: TileStore;
  /** Sets the visible colors. */
  explain(legend: readonly LegendEntry[]): void;
  move(window: TimeWindow): void;
  /** Goes to a date, which stays centered when the length changes, until the window moves. */
  goToDate(date: string): void;
  /** Sets the length in milliseconds around the middle, or around the selected date. */
  resize(length: number): void;
  /** Goes to the first or last event of the lanes. */
  goTo(end: "first" | "last"): void;
  focus(lane: Lane): void;
  /** Selects an event instead of anything else; `undefined` = nothing. */
  pin(hit: Hit | undefined): void;
  /** Selects time instead of anything else. */
  select(time: SelectedTime | undefined): void;
  /** Folds empty hosts, except those that the user unfolded. */
  fold(hosts: ReadonlySet<string>): void;
  /** Shows the lanes of an empty host. */
  unfold(host: string): void;
  /** Reloads a bucket whose events were changed. */
  renew(bucketId: string): void;
  /** Sets the visible tiles. */
  want(places: readonly TilePlace[]): void;
}

/** Creates a model with an initial window. Close it with `store.close()`. */
export function createModel(begin: TimeWindow): TimelineModel {
  const window = signal(begin);
  const hidden = signal<ReadonlySet<string>>(new Set());
  const host = signal<string | undefined>(undefined);
  const coloring = signal<Coloring>("category");
  const chosen = signal<string | undefined>(undefined);
  const pinned = signal<Hit | undefined>(undefined);
  const selected = signal<SelectedTime | undefined>(undefined);
  const folded = signal<ReadonlySet<string>>(new Set());
  const unfolded = new Set<string>();
  const pointed = signal<Pointed | undefined>(undefined);
  const version = signal(0);
  const round = signal(0);
  const isBusy = signal(false);
  const failure = signal<unknown>(undefined);
  const legend = signal<readonly LegendEntry[]>([]);
  /** Increases when classes of data arrive. */
  const classes = signal(0);
  const classifier = computed(() => {
    void effectiveCategories.value;
    return new Classifier(classesOf(termsForEvents(validFilter.value)), () => classes.value++);
  });
  const store = new TileStore({
    fetch: async (places, abort) => {
      const bucketId = places[0]?.bucketId ?? "";
      const answer = await client.events.timeline(bucketId, tileRequest(places), { signal: abort });
      const tiles = tilesOf(answer, places);
      const type = knownBuckets.peek().find(({ id }) => id === bucketId)?.type ?? "";
      if (isClassified(type, coloring.peek(), validFilter.peek())) {
        await classifier.peek().load(tiles.flatMap(({ datas }) => datas));
      }
      return tiles;
    },
    changed: () => {
      batch(() => {
        version.value++;
        updateStatus();
      });
    },
    now: () => Date.now(),
    isFollowing: () => isFeedAlive.peek(),
  });
  function updateStatus(): void {
    isBusy.value = store.isBusy;
    failure.value = store.failure;
  }
  let chosenMiddle: number | undefined;
  function show(moved: TimeWindow): void {
    batch(() => {
      window.value = clamped(moved);
      // The hovered item has moved.
      pointed.value = undefined;
    });
  }
  // In discovery order: lanes must not swap places when another host becomes more recently active.
  let order: readonly string[] = [];
  const allLanes = computed(() => {
    order = [...order, ...hosts.value.filter((known) => !order.includes(known))];
    return lanesOfHost(lanesOf(knownBuckets.value, order), host.value);
  });
  const lanes = computed(() => allLanes.value.filter(({ bucketId }) => !hidden.value.has(bucketId)));
  return {
    ...{
      window,
      hidden,
      host,
      coloring,
      allLanes,
      lanes,
      pointed,
      pinned,
      selected,
      folded,
      zone,
      version,
      round,
      isBusy,
      failure,
      legend,
      store,
    },
    focused: computed(() => {
      const shown = lanes.value.filter(({ host }) => !folded.value.has(host));
      const first = shown.find((lane) => !isManual(lane)) ?? shown[0];
      return shown.find(({ bucketId }) => bucketId === chosen.value) ?? first ?? lanes.value[0];
    }),
    look: computed(() => {
      void classes.value;
      const isFiltered = validFilter.value.length > 0;
      const isDark = scheme.value === "dark";
      return createLooks(coloring.value, effectiveCategories.value, classifier.value, isFiltered, isDark);
    }),
    explain(entries) {
      // Waits for all data, including categories: otherwise the list would grow, reorder, and shift content below it
      // with every response.
      if (store.isBusy || stored.peek().state === "loading") return;
      if (JSON.stringify(entries) !== JSON.stringify(legend.peek())) legend.value = entries;
    },
    move(moved) {
      chosenMiddle = undefined;
      show(moved);
    },
    goToDate(date) {
      const calendar = currentCalendar.peek();
      show(atDate(window.value, date, calendar));
      chosenMiddle = middleOf(periodAround("day", date, calendar));
    },
    resize(length) {
      const { start, end } = window.value;
      const at = chosenMiddle ?? Number.NaN;
      // The address may show another time.
      show(resized(start < at && at < end ? at : middleOf({ start, end }), length));
    },
    goTo(end) {
      const shown = new Set(lanes.value.map(({ bucketId }) => bucketId));
      const span = spanOf(knownBuckets.value.filter(({ id }) => shown.has(id)));
      if (span === undefined) return;
      const { start, end: stop } = window.value;
      const length = stop - start;
      // Events in the future must not move the view away from real activity.
      const now = Date.now();
      const last = span.end > now + DAY ? Math.max(span.start, now) : span.end;
      const from = end === "first" ? span.start - 0.05 * length : last - 0.95 * length;
      window.value = clamped({ start: from, end: from + length });
    },
    focus({ bucketId }) {
      chosen.value = bucketId;
    },
    pin(hit) {
      batch(() => {
        pinned.value = hit;
        selected.value = undefined;
        if (hit !== undefined) chosen.value = hit.lane.bucketId;
      });
    },
    select(time) {
      batch(() => {
        selected.value = time;
        pinned.value = undefined;
      });
    },
    fold(empty) {
      const next = [...empty].filter((one) => !unfolded.has(one));
      const isSame = next.length === folded.peek().size && next.every((one) => folded.peek().has(one));
      if (!isSame) folded.value = new Set(next);
    },
    unfold(one) {
      unfolded.add(one);
      folded.value = new Set([...folded.peek()].filter((other) => other !== one));
    },
    renew(bucketId) {
      round.value++;
      store.renew(bucketId);
      updateStatus();
    },
    want(places) {
      store.want(places);
      updateStatus();
    },
  };
}

function classesOf(filter: readonly string[]): AskClasses {
  return async (data) => {
    const { categories, matches } = await client.classify({ data: [...data], filter: [...filter] });
    return categories.map((category, index) => ({ category, matches: matches[index] === true }));
  };
}

/** The range from the first to the last event of buckets. @returns `undefined` without events */
export function spanOf(list: readonly ClientBucket[]): TimeWindow | undefined {
  const starts = list.flatMap(({ metadata }) => Date.parse(metadata?.start ?? "") || []);
  const ends = list.flatMap(({ metadata }) => Date.parse(metadata?.end ?? "") || []);
  if (starts.length === 0) return undefined;
  return { start: starts.reduce((a, b) => Math.min(a, b)), end: ends.reduce((a, b) => Math.max(a, b)) };
}
