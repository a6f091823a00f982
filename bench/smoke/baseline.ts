import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { machineFacts } from "../table.js";
import type { RowResult } from "./runner.js";

const FILE = fileURLToPath(new URL("baseline.json", import.meta.url));
/** Below this share of the baseline's ratio a row fails. Less would be within the noise of a shared machine. */
export const FAILS_BELOW = 0.8;

/** Numbers of a row as they were when the baseline was written. */
export interface BaselineRow {
  readonly ratio: number;
  readonly ours: number;
  readonly floor: number;
  readonly unit: string;
}

/** By id of the row. */
export type Baseline = Readonly<Record<string, BaselineRow>>;

/** @throws Error when there is no such file, or when it is none of ours */
export function readBaseline(): Baseline {
  const file: unknown = JSON.parse(readFileSync(FILE, "utf8"));
  if (typeof file !== "object" || file === null || !("rows" in file)) throw new Error("baseline.json has no rows");
  const { rows } = file;
  if (typeof rows !== "object" || rows === null) throw new Error("the rows of baseline.json are no object");
  return Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, checked(id, row)]));
}

/** Writes the results down as what later runs are compared with. */
export function writeBaseline(results: readonly RowResult[]): void {
  const rows = results.map(({ id, unit, ratio, ours, other }): [string, BaselineRow] => [
    id,
    { ratio: rounded(ratio), ours: rounded(ours.rate), floor: rounded(other.rate), unit },
  ]);
  const text = JSON.stringify({ machine: machineFacts(), rows: Object.fromEntries(rows) }, null, 2);
  writeFileSync(FILE, `${text}\n`);
}

function checked(id: string, row: unknown): BaselineRow {
  const { ratio, ours, floor, unit } = row as Partial<BaselineRow>;
  const isRow = [ratio, ours, floor].every((value) => typeof value === "number") && typeof unit === "string";
  if (!isRow) throw new Error(`baseline.json: ${id} is not complete`);
  return row as BaselineRow;
}

/** Four digits say all that there is to know. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
