import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { startOfWeek } from "../../settings.js";
import { t as shell } from "../../texts/shell.js";
import { colorOf, scheme } from "../../theme.js";
import { barsOf } from "./bars.js";
import { listen } from "./gestures.js";
import { type Hit, hitAt } from "./hits.js";
import { press } from "./keys.js";
import { type Row, rowsWithin } from "./lanes.js";
import { legendOf } from "./legend.js";
import type { TimelineModel } from "./model.js";
import { Name, shapeOf } from "./names.js";
import { fitted, type PaintedLane, type Paints, paintAxis, paintLanes } from "./paint.js";
import { type Assembly, assemble, inOrder } from "./pieces.js";
import { instantAt, type TimeWindow } from "./scale.js";
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
  const shape = shapeOf(model.lanes.value, sizes.width);
  const width = Math.max(1, sizes.width - shape.nameWidth);
  const inSight = rowsWithin(shape.rows, scrollTop, scrollTop + sizes.height);

  function assembleRow(row: Row, window: TimeWindow): Assembly | undefined {
    if (row.kind === "host") return undefined;
    const level = levelFor((window.end - window.start) / width);
    return assemble(row.lane.bucketId, window, level, (place) => model.store.get(place));
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
    const ahead = tileLength(levelFor((window.end - window.start) / width)) / 4;
    for (const row of rowsWithin(shape.rows, top, top + sizes.height)) {
      if (row.kind === "host") continue;
      const assembly = assembleRow(row, window);
      if (assembly === undefined) continue;
      // Includes a margin, so that moving does not reveal gaps.
      const around = assembleRow(row, { start: window.start - ahead, end: window.end + ahead });
      wanted.push(around?.wanted ?? []);
      lanes.push({
        top: row.top - top + shape.barTop,
        height: row.height - shape.rest,
        bars: barsOf(assembly.pieces, (data) => look(row.lane.type, data), { width, window }),
        gaps: assembly.gaps,
        isFocused: model.focused.value?.bucketId === row.lane.bucketId && document.activeElement === element,
      });
    }
    model.want(inOrder(wanted, window));
    model.explain(legendOf(lanes.map(({ bars }) => bars)));
    const context = fitted(canvas, width, Math.max(1, Math.min(sizes.height, shape.total)));
    const area = { width, height: Math.min(sizes.height, shape.total), window };
    if (context !== null) paintLanes(context, area, { lanes, axis, paints, now: Date.now() });
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
    void [model.lanes.value, startOfWeek.value, scheme.value];
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

  /** The event at a window position. */
  function hitNear(x: number, y: number): Hit | undefined {
    const element = scroller.current;
    if (element === null) return undefined;
    const box = element.getBoundingClientRect();
    const down = y - box.top + element.scrollTop;
    const row = shape.rows.find(({ top, height }) => down >= top && down < top + height);
    if (row === undefined || row.kind === "host" || x < box.left + shape.nameWidth) return undefined;
    const window = model.window.value;
    return hitIn(row, instantAt(x - box.left - shape.nameWidth, window, width), NEAR);
  }

  function hitIn(row: Row & { readonly kind: "lane" }, instant: number, pixels: number): Hit | undefined {
    const window = model.window.value;
    const tiles = new Set(assembleRow(row, window)?.pieces.map(({ tile }) => tile));
    return hitAt(row.lane, [...tiles], instant, (pixels / width) * (window.end - window.start));
  }

  const acting = useRef({ hitNear, width, nameWidth: shape.nameWidth });
  acting.current = { hitNear, width, nameWidth: shape.nameWidth };

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    return listen({
      element,
      area: () => ({
        left: element.getBoundingClientRect().left + acting.current.nameWidth,
        width: acting.current.width,
      }),
      window: () => model.window.peek(),
      move: model.move,
      point(at) {
        const hit = at && acting.current.hitNear(at.x, at.y);
        model.pointed.value = hit && at && { hit, isOutdated: model.store.isOutdated(hit.lane.bucketId), ...at };
      },
      pick({ x, y }) {
        model.pin(acting.current.hitNear(x, y));
      },
    });
  }, []);

  function step(by: number): void {
    const lanes = model.lanes.value;
    const place = lanes.findIndex(({ bucketId }) => bucketId === model.focused.value?.bucketId);
    const lane = lanes[Math.min(lanes.length - 1, Math.max(0, place + by))];
    const row = shape.rows.find((one) => one.kind === "lane" && one.lane === lane);
    const element = scroller.current;
    if (lane === undefined || row === undefined || element === null) return;
    model.focus(lane);
    // Keeps the hostname above it visible.
    const lowest = row.top + row.height - sizes.height + 6;
    element.scrollTop = Math.max(lowest, Math.min(element.scrollTop, row.top - 28));
  }

  function pinMiddle(): void {
    const { start, end } = model.window.value;
    const row = shape.rows.find((one) => one.kind === "lane" && one.lane === model.focused.value);
    if (row?.kind === "lane") model.pin(hitIn(row, (start + end) / 2, width));
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(event.key, event.shiftKey, model, { step, pinMiddle })) event.preventDefault();
  }

  return (
    // Time runs from left to right in every language.
    <div class="tl-frame" dir="ltr">
      <canvas
        ref={axisCanvas}
        class="tl-axis"
        style={{ marginLeft: `${shape.nameWidth}px`, height: `${AXIS_HEIGHT}px` }}
      />
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
          <canvas ref={laneCanvas} class="tl-lanes" style={{ marginLeft: `${shape.nameWidth}px` }} />
          {inSight.map((row) => (
            <Name key={row.kind === "host" ? ` ${row.host}` : row.lane.bucketId} row={row} shape={shape} />
          ))}
        </div>
      </div>
    </div>
  );
}
