// Measurements, their statistics, and the one table that all benches print.
import os from "node:os";

/** One measurement. A number that was not measured is NaN. */
export interface Measurement {
  /** In the unit of the row. */
  readonly rate: number;
  /** CPU of the measured process per request, all threads, in microseconds. */
  readonly cpuMicros: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
  /** More numbers by name; the worst of the rounds applies. */
  readonly notes?: Readonly<Record<string, number>>;
}

/** Medians of the rounds; notes are the worst of the rounds. */
export interface Summary extends Measurement {
  readonly rates: readonly number[];
}

/** What a row showed. */
export interface Result {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly ours: Summary;
  /** The floor, or the other checkout. */
  readonly other?: Summary;
  /** Our rate divided by the other's: median, lowest and highest of the rounds. */
  readonly ratio?: number;
  readonly lowest?: number;
  readonly highest?: number;
}

/** Measures one side once. */
export type Entrant = () => Promise<Measurement>;

/** Measures every side once in each round, so that a slow moment of the machine affects all of them. */
export async function takeTurns(rounds: number, entrants: readonly Entrant[]): Promise<Measurement[][]> {
  const seen = entrants.map((): Measurement[] => []);
  for (let round = 0; round < rounds; round++) {
    // Another side starts each round, because the one after a heavy neighbor is slower.
    for (let turn = 0; turn < entrants.length; turn++) {
      const at = (round + turn) % entrants.length;
      seen[at]?.push(await (entrants[at] as Entrant)());
    }
  }
  return seen;
}

export function resultOf(
  row: Pick<Result, "id" | "what" | "unit">,
  mine: readonly Measurement[],
  theirs: readonly Measurement[] = [],
): Result {
  const facts = { id: row.id, what: row.what, unit: row.unit, ours: summarize(mine) };
  if (theirs.length === 0) return facts;
  const other = summarize(theirs);
  const ratios = facts.ours.rates.map((rate, round) => rate / (other.rates[round] ?? Number.NaN));
  return { ...facts, other, ratio: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

export function summarize(measurements: readonly Measurement[]): Summary {
  const middle = (field: "rate" | "cpuMicros" | "p50Millis" | "p99Millis"): number =>
    median(measurements.map((measurement) => measurement[field]));
  const notes: Record<string, number> = {};
  for (const measurement of measurements) {
    for (const [name, value] of Object.entries(measurement.notes ?? {})) {
      notes[name] = Math.max(value, notes[name] ?? value);
    }
  }
  return {
    rate: middle("rate"),
    cpuMicros: middle("cpuMicros"),
    p50Millis: middle("p50Millis"),
    p99Millis: middle("p99Millis"),
    notes,
    rates: measurements.map(({ rate }) => rate),
  };
}

/** The measurement of something that happened once. */
export function once(millis: number, cpuMicros: number): Measurement {
  return { rate: 1000 / millis, cpuMicros, p50Millis: millis, p99Millis: millis };
}

/** A quantity without a time, such as megabytes. */
export function amount(value: number, notes: Readonly<Record<string, number>> = {}): Measurement {
  return { rate: value, cpuMicros: Number.NaN, p50Millis: Number.NaN, p99Millis: Number.NaN, notes };
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  const high = ascending[ascending.length >> 1] ?? Number.NaN;
  return ((ascending[(ascending.length - 1) >> 1] ?? Number.NaN) + high) / 2;
}

/** The value below which a share of an ascending list lies; NaN of none. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** The facts that the numbers depend on, in one line. */
export function machineFacts(): string {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const model = cpus[0]?.model ?? "unknown";
  return `${cpus.length} cores (${model}), ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** A table in Markdown, with columns of equal width. The first `left` columns and the last one contain text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], left = 1): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0), 3));
  const isText = (at: number): boolean => at < left || at === headings.length - 1;
  const print = (row: readonly string[]): string =>
    `| ${widths.map((width, at) => (isText(at) ? (row[at] ?? "").padEnd(width) : (row[at] ?? "").padStart(width))).join(" | ")} |`;
  const rule = widths.map((width, at) => (isText(at) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [print(headings), print(rule), ...rows.map(print)].join("\n");
}

/** A number for people: up to three digits after the point, fewer for larger numbers. */
export function numberText(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "-";
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 3 : value < 1000 ? 1 : 0 });
}
