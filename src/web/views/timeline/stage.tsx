import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { knownBuckets } from "../../buckets.js";
import { currentCalendar, startOfWeek } from "../../settings.js";
import { STOPWATCH_BUCKET } from "../../stopwatch/entries.js";
import { running } from "../../stopwatch/state.js";
import { t as shell } from "../../texts/shell.js";
import { colorOf, scheme } from "../../theme.js";
import { barsOf, showsCoverage } from "./bars.js";
import { emptyHosts, hasEvents, mayHaveEvents, rangeToFold, undecided } from "./folding.js";
import { listen } from "./gestures.js";
import { hitAt } from "./hits.js";
import { press } from "./keys.js";
import { type Lane, type Row, rowsWithin } from "./lanes.js";
import { legendOf } from "./legend.js";
import type { TimelineModel } from "./model.js";
import { Name, shapeOf } from "./names.js";
import { fitted, type PaintedLane, type Paints, paintAxis, paintLanes } from "./paint.js";
import { type Assembly, assemble, inOrder } from "./pieces.js";
import { withRunning } from "./running.js";
import { instantAt, type TimeWindow } from "./scale.js";
import { canSelect, type LanePlace, labeled, selectGap, startSelection } from "./selecting.js";
import { axisOf } from "./ticks.js";
import { levelFor, type TilePlace, tileLength } from "./tiles.js";

const AXIS_HEIGHT = 44;
/** Maximum distance of the pointer from an event, in pixels. */
const NEAR = 4;
/** Interval of moving the current-time line and loading new data, in milliseconds. */
const BEAT = 5_000;

interface Sizes {
  readonly width: number;
  readonly height: number;
}

function readPaints(): Paints {
  return {
    ...{ ground: colorOf("--surface"), lane: colorOf("--sunken"), line: colorOf("--line"), ink: colorOf("--ink") },
    ...{ quiet: colorOf("--ink-2"), accent: colorOf("--accent"), now: colorOf("--bad") },
  };
}

/** The drawing: the axis, and the scrolling lanes below. */
export function Stage({ model }: { readonly model: TimelineModel }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const axisCanvas = useRef<HTMLCanvasElement>(null);
  const laneCanvas = useRef<HTMLCanvasElement>(null);
  const [sizes, setSizes] = useState<Sizes>({ width: 0, height: 0 });
  const [scrollTop, setScrollTop] = useState(0);
  const latest = useRef({ sizes, frame: 0, paints: undefined as Paints | undefined });
  latest.current.sizes = sizes;
  const shape = shapeOf(model.lanes.value, sizes.width, model.folded.value);
  const width = Math.max(1, sizes.width - shape.nameWidth);
  const inSight = rowsWithin(shape.rows, scrollTop, scrollTop + sizes.height);

  function assembleLane({ bucketId }: Lane, window: TimeWindow): Assembly {
    const level = levelFor((window.end - window.start) / width);
    const assembly = assemble(bucketId, window, level, (place) => model.store.get(place));
    return bucketId === STOPWATCH_BUCKET ? withRunning(assembly, running.value, Date.now()) : assembly;
  }

  /** Folds empty hosts. @returns tiles that decide about those in sight */
  function fold(window: TimeWindow, rows: readonly Row[]): readonly (readonly TilePlace[])[] {
    const range = rangeToFold(window, currentCalendar.value);
    const known = new Map(knownBuckets.value.map((bucket) => [bucket.id, bucket]));
    const seen = new Set(rows.map((row) => (row.kind === "host" ? row.host : row.lane.host)));
    const before = model.folded.value;
    const mayHave = ({ bucketId }: Lane): boolean => {
      const bucket = known.get(bucketId);
      return bucket !== undefined && mayHaveEvents(bucket, range);
    };
    const has = new Map<Lane, boolean | undefined>();
    for (const lane of model.lanes.value) {
      if (!mayHave(lane)) has.set(lane, false);
      else has.set(lane, seen.has(lane.host) ? hasEvents(assembleLane(lane, range), range) : undefined);
    }
    model.fold(emptyHosts(has, before));
    const isOpen = (lane: Lane): boolean => before.has(lane.host) || assembleLane(lane, window).gaps.length === 0;
    return undecided(has, before)
      .filter((lane) => seen.has(lane.host) && mayHave(lane) && isOpen(lane))
      .map((lane) => assembleLane(lane, range).wanted);
  }

  function draw(): void {
    const [canvas, axisPlace, element] = [laneCanvas.current, axisCanvas.current, scroller.current];
    if (canvas === null || axisPlace === null || element === null || sizes.width === 0) return;
    latest.current.paints ??= readPaints();
    const { paints } = latest.current;
    const window = model.window.value;
    const axis = axisOf(window, { width, zone: model.zone.value, startOfWeek: startOfWeek.value });
    const look = model.look.value;
    const top = element.scrollTop;
    const lanes: PaintedLane[] = [];
    const wanted: (readonly TilePlace[])[] = [];
    const rows = rowsWithin(shape.rows, top, top + sizes.height);
    const ahead = tileLength(levelFor((window.end - window.start) / width)) / 4;
    for (const row of rows) {
      if (row.kind === "host") continue;
      const assembly = assembleLane(row.lane, window);
      // Includes a margin, so that moving does not reveal gaps.
      wanted.push(assembleLane(row.lane, { start: window.start - ahead, end: window.end + ahead }).wanted);
      lanes.push({
        top: row.top - top + shape.barTop,
        height: row.height - shape.rest,
        bars: barsOf(assembly.pieces, (data) => look(row.lane.type, data), { width, window }),
        gaps: assembly.gaps,
        isFocused: model.focused.value?.bucketId === row.lane.bucketId && document.activeElement === element,
      });
    }
    model.want(inOrder([...wanted, ...fold(window, rows)], window));
    model.explain(legendOf(lanes.map(({ bars }) => bars)));
    const context = fitted(canvas, width, Math.max(1, Math.min(sizes.height, shape.total)));
    const area = { width, height: Math.min(sizes.height, shape.total), window };
    if (context !== null) {
      paintLanes(context, area, { lanes, axis, paints, now: Date.now(), selected: labeled(model) });
    }
    const axisContext = fitted(axisPlace, width, AXIS_HEIGHT);
    if (axisContext !== null) paintAxis(axisContext, { width, height: AXIS_HEIGHT, window }, axis, paints);
  }

  const drawing = useRef(draw);
  drawing.current = draw;

  /** Schedules one drawing for the next frame. */
  const schedule = useMemo(
    () => (): void => {
      if (latest.current.frame !== 0) return;
      latest.current.frame = requestAnimationFrame(() => {
        latest.current.frame = 0;
        drawing.current();
      });
    },
    [],
  );

  useSignalEffect(() => {
    // Read to redraw on changes.
    void [model.window.value, model.version.value, model.look.value, model.zone.value, model.focused.value];
    void [model.lanes.value, model.selected.value, running.value, startOfWeek.value, scheme.value];
    schedule();
  });
  useSignalEffect(() => {
    void scheme.value;
    // The style sheet follows the theme later.
    requestAnimationFrame(() => {
      latest.current.paints = undefined;
      schedule();
    });
  });
  useEffect(schedule);

  // Measured before the first paint: heights depend on the width, and content below should not move.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => setSizes({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    const beat = setInterval(schedule, BEAT);
    return () => {
      observer.disconnect();
      clearInterval(beat);
      cancelAnimationFrame(latest.current.frame);
    };
  }, []);

  /** The position in a lane at a window position. */
  function placeNear(x: number, y: number): LanePlace | undefined {
    const element = scroller.current;
    if (element === null) return undefined;
    const box = element.getBoundingClientRect();
    const down = y - box.top + element.scrollTop;
    const row = shape.rows.find(({ top, height }) => down >= top && down < top + height);
    if (row === undefined || row.kind === "host" || x < box.left + shape.nameWidth) return undefined;
    return placeAt(row.lane, instantAt(x - box.left - shape.nameWidth, model.window.value, width), NEAR);
  }

  function placeAt(lane: Lane, instant: number, pixels: number): LanePlace {
    const window = model.window.value;
    const { pieces, gaps } = assembleLane(lane, window);
    const tiles = [...new Set(pieces.map(({ tile }) => tile))];
    const hit = hitAt(lane, tiles, instant, (pixels / width) * (window.end - window.start));
    const isKnown = !gaps.some(({ start, end }) => start <= instant && instant < end);
    return { lane, instant, hit, tiles: isKnown && !showsCoverage(pieces, { width, window }) ? tiles : undefined };
  }

  const acting = useRef({ placeNear, width, nameWidth: shape.nameWidth });
  acting.current = { placeNear, width, nameWidth: shape.nameWidth };

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const area = (): { readonly left: number; readonly width: number } => ({
      left: element.getBoundingClientRect().left + acting.current.nameWidth,
      width: acting.current.width,
    });
    const moving = { area, window: () => model.window.peek(), move: model.move };
    const axis = axisCanvas.current;
    const stopAxis = axis && listen({ ...moving, element: axis, point: () => undefined, pick: () => undefined });
    const stop = listen({
      ...moving,
      element,
      point(at) {
        const place = at && acting.current.placeNear(at.x, at.y);
        const hit = place?.hit;
        element.classList.toggle("tl-selecting", place !== undefined && canSelect(place));
        model.pointed.value = hit && at && { hit, isOutdated: model.store.isOutdated(hit.lane.bucketId), ...at };
      },
      select({ x, y }) {
        const place = acting.current.placeNear(x, y);
        if (place === undefined || !canSelect(place)) return undefined;
        const { start, end } = model.window.peek();
        const { left, width: across } = area();
        return startSelection(place, model, (end - start) / across, (to) =>
          instantAt(to - left, { start, end }, across),
        );
      },
      pick({ x, y }) {
        const place = acting.current.placeNear(x, y);
        if (place === undefined || !selectGap(place, model)) model.pin(place?.hit);
      },
    });
    return () => {
      stop();
      stopAxis?.();
    };
  }, []);

  function step(by: number): void {
    const rows = shape.rows.filter((row) => row.kind === "lane");
    const place = rows.findIndex(({ lane }) => lane.bucketId === model.focused.value?.bucketId);
    const row = rows[Math.min(rows.length - 1, Math.max(0, place + by))];
    const element = scroller.current;
    if (row === undefined || element === null) return;
    model.focus(row.lane);
    // Keeps the hostname above it visible.
    const lowest = row.top + row.height - sizes.height + 6;
    element.scrollTop = Math.max(lowest, Math.min(element.scrollTop, row.top - 28));
  }

  function pinMiddle(): void {
    const { start, end } = model.window.value;
    if (model.focused.value === undefined) return;
    const [lane, middle] = [model.focused.value, (start + end) / 2];
    if (!selectGap(placeAt(lane, middle, NEAR), model)) model.pin(placeAt(lane, middle, width).hit);
  }

  function onKey(event: KeyboardEvent): void {
    // Buttons inside have their own keys.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(event.key, event.shiftKey, model, { step, pinMiddle })) event.preventDefault();
  }

  return (
    // Time runs from left to right in every language.
    <div class="tl-frame" dir="ltr" style={{ "--tl-names": `${shape.nameWidth}px` }}>
      <canvas ref={axisCanvas} class="tl-axis" style={{ height: `${AXIS_HEIGHT}px` }} />
      <div
        ref={scroller}
        class="tl-scroll"
        role="application"
        aria-label={shell("timeline")}
        aria-describedby="timeline-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move it
        tabIndex={0}
        style={{ height: `min(${shape.total}px, 62vh)` }}
        onKeyDown={onKey}
        onFocus={schedule}
        onBlur={schedule}
        onScroll={(event) => {
          setScrollTop(event.currentTarget.scrollTop);
          schedule();
        }}
      >
        <div class="tl-content" style={{ height: `${shape.total}px` }}>
          <canvas ref={laneCanvas} class="tl-lanes" />
          {inSight.map((row) => (
            <Name
              key={row.kind === "host" ? ` ${row.host}` : row.lane.bucketId}
              {...{ row, shape }}
              unfold={model.unfold}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
