// Charts over time as SVG that follow the style sheet.
import type { JSX, TargetedEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

/** A layer of the bars; the first one is at the bottom. */
export interface ChartSeries {
  readonly name: string;
  /** CSS color. */
  readonly color: string;
  /** One value per bar. */
  readonly values: readonly number[];
  /** Whether it is hatched instead of filled. @default false */
  readonly isHatched?: boolean;
}

export interface ChartProps {
  /** Description for screen readers. Provide the values in a table next to the chart. */
  readonly label: string;
  /** Labels under the bars. */
  readonly marks: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Reference values drawn as outlines, one per bar. */
  readonly ghosts?: readonly number[] | undefined;
  /** Values of the grid lines; the last one is the top. */
  readonly lines: readonly number[];
  readonly formatLine: (value: number) => string;
  /** In CSS pixels. */
  readonly height: number;
  /** Receives the bar under the pointer; `undefined` for none. */
  readonly onPoint?: (index: number | undefined) => void;
  readonly onPick?: (index: number) => void;
}

/** Margins around the bars, in CSS pixels. */
const ROOM = { top: 8, right: 4, bottom: 28, left: 54 } as const;
/** Bar width as a share of its slot, and maximum width in CSS pixels. */
const FILLED = 0.78;
const WIDEST = 72;
/** Numbers of bars per label, chosen so that the hours of a day divide evenly. */
const STEPS = [1, 2, 3, 4, 6, 8, 12] as const;

/** Bars in layers. */
export function Chart({ series, ghosts = [], ...frame }: ChartProps): JSX.Element {
  const hatch = useId();
  const draw = ({ centerOf, heightOf, step, base }: ChartScale): JSX.Element => {
    const bar = Math.max(1, Math.min(step * FILLED, WIDEST));
    return (
      <>
        <defs>
          {series.map(
            ({ name, color, isHatched }, layer) =>
              isHatched && (
                <pattern
                  key={name}
                  id={`${hatch}-${layer}`}
                  width={6}
                  height={6}
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width={6} height={6} fill={color} opacity={0.25} />
                  <rect width={3} height={6} fill={color} />
                </pattern>
              ),
          )}
        </defs>
        {stacked(series).map(({ name, color, isHatched, spans }, layer) => (
          <path
            key={name}
            class="chart-bar"
            fill={isHatched ? `url(#${hatch}-${layer})` : color}
            d={spans
              .map(([low, high], index) => {
                const rise = heightOf(high - low);
                const [x, y] = [centerOf(index) - bar / 2, base - heightOf(high)];
                return rise > 0 ? `M${x} ${y}h${bar}v${rise}h${-bar}z` : "";
              })
              .join("")}
          />
        ))}
        <path
          class="chart-ghost"
          d={ghosts
            .map((value, index) => {
              const x = centerOf(index) - bar / 2 - 1.5;
              return value > 0 ? `M${x} ${base}V${base - heightOf(value)}h${bar + 3}V${base}` : "";
            })
            .join("")}
        />
      </>
    );
  };
  return <ChartFrame {...frame} draw={draw} />;
}

/** Where a chart draws, in CSS pixels. */
export interface ChartScale {
  /** The middle of a slot. */
  centerOf(index: number): number;
  heightOf(value: number): number;
  /** Width of a slot. */
  readonly step: number;
  /** The line of zero. */
  readonly base: number;
}

export interface ChartFrameProps extends Omit<ChartProps, "series" | "ghosts"> {
  readonly draw: (scale: ChartScale) => JSX.Element;
}

/** A chart with the width of its container: the axes, and what is drawn between them. */
export function ChartFrame({ label, height, onPoint, onPick, ...drawn }: ChartFrameProps): JSX.Element {
  const [place, width] = useWidth();
  const [pointed, setPointed] = useState<number>();
  const { length } = drawn.marks;
  // The bars have changed under the pointer.
  useEffect(() => point(undefined), [length]);

  function slotAt(event: TargetedEvent<HTMLDivElement, MouseEvent>): number | undefined {
    const { left, width: whole } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / whole) * length);
    return index >= 0 && index < length ? index : undefined;
  }

  function point(index: number | undefined): void {
    if (index === pointed) return;
    setPointed(index);
    onPoint?.(index);
  }

  function pick(event: TargetedEvent<HTMLDivElement, MouseEvent>): void {
    const index = slotAt(event);
    if (index !== undefined) onPick?.(index);
  }

  const { top, right, bottom, left } = ROOM;
  const inset = `${top}px ${right}px ${bottom}px ${left}px`;
  return (
    <div class="chart" dir="ltr" role="img" aria-label={label} ref={place} style={{ height: `${height}px` }}>
      {width > 0 && length > 0 && <Drawing {...drawn} {...{ width, height, pointed }} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the table beside the chart has links */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: likewise */}
      <div
        class={onPick === undefined ? "chart-over" : "chart-over chart-picks"}
        style={{ inset }}
        onMouseMove={(event) => point(slotAt(event))}
        onMouseLeave={() => point(undefined)}
        onClick={pick}
      />
    </div>
  );
}

/** The width of an element, 0 until it is known. */
export function useWidth(): readonly [place: { current: HTMLDivElement | null }, width: number] {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const target = place.current;
    if (target === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(target.clientWidth));
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}

type DrawingProps = Pick<ChartFrameProps, "marks" | "lines" | "formatLine" | "height" | "draw"> & {
  readonly width: number;
  readonly pointed: number | undefined;
};

function Drawing({ marks, lines, formatLine, width, height, pointed, draw }: DrawingProps): JSX.Element {
  const [from, to] = [ROOM.left, width - ROOM.right];
  const base = height - ROOM.bottom;
  const step = (to - from) / marks.length;
  const top = lines.at(-1) || 1;
  const heightOf = (value: number): number => (value / top) * (base - ROOM.top);
  const centerOf = (index: number): number => from + (index + 0.5) * step;
  return (
    <svg {...{ width, height }} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {pointed !== undefined && (
        <rect class="chart-band" x={from + pointed * step} y={ROOM.top} width={step} height={base - ROOM.top} />
      )}
      {lines.map((value) => (
        <g key={value}>
          <path class="chart-line" d={`M${from} ${Math.round(base - heightOf(value)) + 0.5}H${to}`} />
          <text class="chart-value" x={from - 8} y={base - heightOf(value) + 4}>
            {value === 0 ? "" : formatLine(value)}
          </text>
        </g>
      ))}
      {draw({ centerOf, heightOf, step, base })}
      {places(marks, to - from).map((index) => (
        <text key={index} class="chart-mark" x={centerOf(index)} y={height - 8}>
          {marks[index]}
        </text>
      ))}
    </svg>
  );
}

interface Layer extends Pick<ChartSeries, "name" | "color" | "isHatched"> {
  readonly spans: readonly (readonly [low: number, high: number])[];
}

/** Start and end of each layer in each bar. */
function stacked(series: readonly ChartSeries[]): readonly Layer[] {
  const sums: number[] = [];
  return series.map(({ name, color, isHatched = false, values }) => {
    const spans = values.map((value, index) => {
      const low = sums[index] ?? 0;
      const high = low + value;
      sums[index] = high;
      return [low, high] as const;
    });
    return { name, color, isHatched, spans };
  });
}

/** The bars to label: as many as fit. */
function places(marks: readonly string[], width: number): number[] {
  const widest = Math.max(...marks.map(({ length }) => length)) * 7 + 14;
  const least = (marks.length * widest) / Math.max(1, width);
  const step = STEPS.find((candidate) => candidate >= least) ?? marks.length;
  return [...marks.keys()].filter((index) => index % step === 0);
}
