import type { JSX } from "preact";
import { t } from "../../texts/timeline.js";
import { hostText } from "../activity/names.js";
import { heightOf, type Lane, type Row, rowsOf } from "./lanes.js";

/** Sizes of the drawing, in CSS pixels. */
export interface Shape {
  /** Width of the names next to the lanes; 0 if they are above. */
  readonly nameWidth: number;
  readonly rows: readonly Row[];
  readonly total: number;
  /** Top of the bar in a row. */
  readonly barTop: number;
  /** Height of a row without its bar. */
  readonly rest: number;
}

/** Minimum width for names next to the lanes. */
const WIDE = 720;
const NAME_WIDTH = 190;
const HOST_HEIGHT = 28;

/** The layout for a width; while it is unknown, the layout for a wide screen. */
export function shapeOf(lanes: readonly Lane[], width: number, folded?: ReadonlySet<string>): Shape {
  const isWide = width >= WIDE || width === 0;
  const heights = { host: HOST_HEIGHT, ...(isWide ? { lane: 34, windows: 58 } : { lane: 46, windows: 72 }) };
  const rows = rowsOf(lanes, heights, folded);
  const bar = isWide ? { barTop: 5, rest: 10 } : { barTop: 20, rest: 24 };
  return { nameWidth: isWide ? NAME_WIDTH : 0, rows, total: heightOf(rows) + 6, ...bar };
}

export interface NameProps {
  readonly row: Row;
  readonly shape: Shape;
  readonly unfold: (host: string) => void;
}

/** The name of a host or a lane. */
export function Name({ row, shape, unfold }: NameProps): JSX.Element {
  if (row.kind === "host") {
    return (
      <div class="tl-host" style={{ top: `${row.top}px`, height: `${row.height}px` }}>
        <bdi>{hostText(row.host)}</bdi>
        {row.isFolded && (
          <button type="button" class="plain" onClick={() => unfold(row.host)}>
            {t("folded")}
          </button>
        )}
      </div>
    );
  }
  const isBeside = shape.nameWidth > 0;
  const height = isBeside ? row.height : shape.barTop;
  const width = isBeside ? `${shape.nameWidth}px` : "100%";
  return (
    <div class="tl-name" title={row.lane.bucketId} style={{ top: `${row.top}px`, height: `${height}px`, width }}>
      {row.lane.name}
    </div>
  );
}
