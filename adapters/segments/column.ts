/**
 * A column of integers, each stored as `base + unit * raw`, with raw unsigned in as few bytes as the largest one needs:
 *
 *     column = width:u8  base:f64  unit:f64  raw:width * count          (little-endian; width 0, 1, 2, 4, 6 or 8)
 *
 * Width 0 means that all values equal the base; 6 is a 32-bit and a 16-bit part, low one first; 8 is a double, with
 * base 0 and unit 1.
 */
const HEAD_BYTES = 17;
const UNITS = [1_000_000, 1_000];

/** Encoding of a column. */
export interface ColumnPlan {
  readonly values: Float64Array;
  readonly base: number;
  readonly unit: number;
  readonly width: number;
  /** Its size in bytes. */
  readonly size: number;
}

export function planColumn(values: Float64Array): ColumnPlan {
  let base = values.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < base) base = value;
    if (value > highest) highest = value;
  }
  // Larger differences may be inexact, so that their remainders are meaningless.
  const exact = highest - base <= Number.MAX_SAFE_INTEGER;
  const unit = UNITS.find((candidate) => exact && values.every((value) => (value - base) % candidate === 0)) ?? 1;
  const width = values.length === 0 ? 0 : widthOf((highest - base) / unit);
  const size = HEAD_BYTES + width * values.length;
  // Larger differences may be inexact, but the values themselves are exact.
  return width === 8 ? { values, base: 0, unit: 1, width, size } : { values, base, unit, width, size };
}

function widthOf(raw: number): number {
  if (raw === 0) return 0;
  if (raw < 2 ** 8) return 1;
  if (raw < 2 ** 16) return 2;
  if (raw < 2 ** 32) return 4;
  return raw < 2 ** 48 ? 6 : 8;
}

/** @returns the position after the column */
export function writeColumn(view: DataView, at: number, { values, base, unit, width }: ColumnPlan): number {
  view.setUint8(at, width);
  view.setFloat64(at + 1, base, true);
  view.setFloat64(at + 9, unit, true);
  let position = at + HEAD_BYTES;
  for (const value of values) {
    const raw = (value - base) / unit;
    if (width === 1) view.setUint8(position, raw);
    else if (width === 2) view.setUint16(position, raw, true);
    else if (width === 4) view.setUint32(position, raw, true);
    else if (width === 6) {
      view.setUint32(position, raw % 2 ** 32, true);
      view.setUint16(position + 4, Math.floor(raw / 2 ** 32), true);
    } else if (width === 8) view.setFloat64(position, raw, true);
    position += width;
  }
  return position;
}

/** @returns the position after the column. @throws RangeError for a truncated column */
export function readColumn(view: DataView, at: number, values: Float64Array | Uint32Array): number {
  const width = view.getUint8(at);
  const base = view.getFloat64(at + 1, true);
  const unit = view.getFloat64(at + 9, true);
  const read = readerOf(view, width);
  let position = at + HEAD_BYTES;
  for (let index = 0; index < values.length; index++, position += width) {
    values[index] = base + unit * read(position);
  }
  return position;
}

/** Returns a reader for all values of a column, which keeps the loop short. @throws RangeError for an unknown width */
function readerOf(view: DataView, width: number): (position: number) => number {
  if (width === 0) return () => 0;
  if (width === 1) return (position) => view.getUint8(position);
  if (width === 2) return (position) => view.getUint16(position, true);
  if (width === 4) return (position) => view.getUint32(position, true);
  if (width === 6) return (position) => view.getUint32(position, true) + view.getUint16(position + 4, true) * 2 ** 32;
  if (width === 8) return (position) => view.getFloat64(position, true);
  throw new RangeError(`a column has the unknown width ${width}`);
}
