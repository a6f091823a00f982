import { type BaselineRow, FAILS_BELOW } from "./baseline.js";
import type { RowResult } from "./runner.js";

const ID_WIDTH = 24;
const UNIT_WIDTH = 10;
const NUMBER_WIDTH = 10;

/** Whether a row is so much slower than its baseline that it is not noise. A row without one never fails. */
export function hasFailed({ ratio }: RowResult, baseline: BaselineRow | undefined): boolean {
  return baseline !== undefined && !(ratio >= FAILS_BELOW * baseline.ratio);
}

export function againstHeading(): string {
  const numbers = ["ours", "theirs", "ratio", "lowest", "highest", "p99 ms", "theirs", "cpu us", "theirs", "ratio"];
  return line("row", "unit", numbers);
}

/**
 * Ours and theirs: rates, their ratio and how far it went apart in the rounds, p99 of both, CPU of both for a request,
 * and theirs over ours. Above 1 ours is better, in both ratios.
 */
export function againstLine({ id, unit, ours, other, ratio, lowest, highest }: RowResult): string {
  const numbers = [
    ...[ours.rate, other.rate].map(large),
    ...[ratio, lowest, highest].map((value) => value.toFixed(2)),
    ...[ours.p99Millis, other.p99Millis].map((value) => value.toFixed(2)),
    ...[ours.cpuMicros, other.cpuMicros].map(large),
    (other.cpuMicros / ours.cpuMicros).toFixed(2),
  ];
  return line(id, unit, numbers);
}

export function baselineHeading(): string {
  return line("row", "unit", ["ours", "floor", "ratio %", "before %", "of before"]);
}

/** Ours and the floor: rates, their ratio, that of the baseline, and the one over the other. */
export function baselineLine(result: RowResult, baseline: BaselineRow | undefined): string {
  const { id, unit, ours, other, ratio } = result;
  const known = baseline === undefined ? ["-", "-"] : [percent(baseline.ratio), (ratio / baseline.ratio).toFixed(2)];
  const verdict = hasFailed(result, baseline) ? `  below ${FAILS_BELOW}` : "";
  return line(id, unit, [large(ours.rate), large(other.rate), percent(ratio), ...known]) + verdict;
}

function line(id: string, unit: string, numbers: readonly string[]): string {
  return id.padEnd(ID_WIDTH) + unit.padEnd(UNIT_WIDTH) + numbers.map((text) => text.padStart(NUMBER_WIDTH)).join("");
}

function percent(ratio: number): string {
  return (100 * ratio).toFixed(1);
}

function large(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 });
}
