const SMALLEST_MILLIS = 0.01;
/** A step of two hundredths: the error of every quantile. */
const STEP = Math.log(1.02);
const STEPS = 1000;

/** Latencies, counted in steps of 2 %. */
export class Histogram {
  count = 0;
  max = 0;
  readonly #counts: Uint32Array = new Uint32Array(STEPS);

  add(millis: number): void {
    const step = Math.floor(Math.log(Math.max(millis, SMALLEST_MILLIS) / SMALLEST_MILLIS) / STEP);
    const at = Math.min(STEPS - 1, step);
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.count++;
    this.max = Math.max(this.max, millis);
  }

  merge(other: Histogram): void {
    for (let at = 0; at < STEPS; at++) this.#counts[at] = (this.#counts[at] as number) + (other.#counts[at] as number);
    this.count += other.count;
    this.max = Math.max(this.max, other.max);
  }

  /** Milliseconds below which a share of all lies; not a number without any. */
  quantile(share: number): number {
    let left = this.count * share;
    for (let at = 0; at < STEPS; at++) {
      left -= this.#counts[at] as number;
      if (left <= 0 && this.count > 0) return SMALLEST_MILLIS * Math.exp((at + 0.5) * STEP);
    }
    return Number.NaN;
  }
}

/** The middle one; not a number of none. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  return ascending[ascending.length >> 1] ?? Number.NaN;
}

/** The slope of the line that lies closest to some points (least squares); 0 of fewer than three. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  if (points.length < 3) return 0;
  const middleX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const middleY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  let above = 0;
  let below = 0;
  for (const [x, y] of points) {
    above += (x - middleX) * (y - middleY);
    below += (x - middleX) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
