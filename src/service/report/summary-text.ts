// Summaries as text. A year has tens of thousands of rows, so text is written and parsed a few rows at a time.
import type { Summary } from "../../report/summary.js";
import { inTurns } from "../../util/time-slice.js";

/** Items of each list in a line; fewer for bins with lists of their own. */
const ITEMS_PER_LINE = 1000;
const BINS_PER_LINE = 20;

type Columns = Readonly<Record<string, unknown>>;
/** Some items of all lists of an object. The first object is the summary, the others are its lists. */
type Line = readonly [object: number, columns: Columns];

/** @returns lines of JSON */
export async function serializeSummary({ lists, ...summary }: Summary): Promise<string> {
  const lines = [summary, ...lists].flatMap((object, at) => [...slicesOf(object)].map((slice): Line => [at, slice]));
  return (await inTurns(lines, (line) => JSON.stringify(line))).join("\n");
}

/** @throws if it is no text of `serializeSummary` */
export async function parseSummary(text: string): Promise<Summary> {
  const objects: Record<string, unknown>[] = [];
  await inTurns(text.split("\n"), (line) => {
    const [object, columns] = JSON.parse(line) as Line;
    objects[object] = joined(objects[object], columns);
  });
  const [summary, ...lists] = objects;
  return { ...summary, lists } as unknown as Summary;
}

function* slicesOf(object: object): Iterable<Columns> {
  const columns = Object.entries(object);
  const lists = columns.flatMap(([, value]) => (Array.isArray(value) ? [value as readonly unknown[]] : []));
  const length = Math.max(...lists.map((list) => list.length));
  const count = "extras" in object ? BINS_PER_LINE : ITEMS_PER_LINE;
  for (let from = 0; from === 0 || from < length; from += count) {
    const slice = (value: unknown): unknown => (Array.isArray(value) ? value.slice(from, from + count) : value);
    yield Object.fromEntries(columns.map(([name, value]) => [name, slice(value)]));
  }
}

function joined(before: Record<string, unknown> | undefined, columns: Columns): Record<string, unknown> {
  if (before === undefined) return { ...columns };
  for (const [name, value] of Object.entries(columns)) {
    if (Array.isArray(value)) (before[name] as unknown[]).push(...value);
  }
  return before;
}
