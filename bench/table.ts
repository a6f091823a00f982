import os from "node:os";
import type { Row } from "./bench.js";
import { judge, type Verdict } from "./goals.js";

const HEADINGS = [
  "workload",
  "via",
  "storage",
  "conn",
  "ours",
  "floor",
  "unit",
  "ratio %",
  "cpu us",
  "floor us",
  "p50 ms",
  "p99 ms",
  "client %",
  "goals",
  "notes (worst round)",
] as const;
const LEFT = new Set<string>(["workload", "via", "storage", "unit", "goals", "notes (worst round)"]);

/** The rows as lines of aligned text. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(cellsOf);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((line) => (line[column] as string).length)),
  );
  const print = (line: readonly string[]): string =>
    line
      .map((cell, column) => {
        const width = widths[column] as number;
        return LEFT.has(HEADINGS[column] as string) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd();
  return [print(HEADINGS), widths.map((width) => "-".repeat(width)).join("  "), ...cells.map(print)].join("\n");
}

/** What the numbers depend on, in one line. */
export function machineFacts(): string {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${cpus.length} cores (${cpus[0]?.model ?? "unknown"}), ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

function cellsOf(row: Row): string[] {
  const { workload, via, storage, connections, unit, ours, floor, ratio } = row;
  const notes = Object.entries(ours.notes ?? {}).map(([name, value]) => `${name} ${number(value)}`);
  return [
    workload,
    via,
    storage,
    String(connections),
    number(ours.rate),
    number(floor?.rate),
    unit,
    ratio === undefined ? "-" : ratio.toFixed(0),
    number(ours.cpuMicros),
    number(floor?.cpuMicros),
    millis(ours.p50Millis),
    millis(ours.p99Millis),
    ours.clientCpu === undefined ? "-" : ours.clientCpu.toFixed(0),
    judge(row).map(verdict).join("; ") || "-",
    notes.join(", "),
  ];
}

function verdict({ of, limit, value, met }: Verdict): string {
  return `${of} ${limit}: ${number(value)} ${met ? "met" : "MISSED"}`;
}

/** What was not measured is no number. */
function number(value = Number.NaN): string {
  if (Number.isNaN(value)) return "-";
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 1000 ? 1 : 0 });
}

function millis(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value < 10 ? value.toFixed(3) : value.toFixed(1);
}
