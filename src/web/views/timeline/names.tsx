import type { JSX } from "preact";
import { hostText } from "../activity/names.js";
import { heightOf, type Lane, type Row, rowsOf } from "./lanes.js";

/** Sizes of the picture, in CSS pixels. */
export interface Shape {
  /** Width of the names beside the lanes; 0 when they stand above. */
  readonly nameWidth: number;
  readonly rows: readonly Row[];
  readonly total: number;
  /** Where in a row its bar is. */
  readonly barTop: number;
  /** What of a row is not its bar. */
  readonly rest: number;
}

/** From this width on names stand beside the lanes. */
const WIDE = 720;
const NAME_WIDTH = 190;
const HOST_HEIGHT = 28;

/** How lanes are laid out in a width; before that is known, as on a wide screen. */
export function shapeOf(lanes: readonly Lane[], width: number): Shape {
  const isWide = width >= WIDE || width === 0;
  const rows = rowsOf(lanes, {
    host: HOST_HEIGHT,
    ...(isWide ? { lane: 34, windows: 58 } : { lane: 46, windows: 72 }),
  });
  const bar = isWide ? { barTop: 5, rest: 10 } : { barTop: 20, rest: 24 };
  return { nameWidth: isWide ? NAME_WIDTH : 0, rows, total: heightOf(rows) + 6, ...bar };
}

/** The name of a host, or of a lane. */
export function Name({ row, shape }: { readonly row: Row; readonly shape: Shape }): JSX.Element {
  if (row.kind === "host") {
    return (
      <div class="tl-host" style={{ top: `${row.top}px`, height: `${row.height}px` }}>
        {hostText(row.host)}
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
