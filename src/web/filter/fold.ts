// Merges titles that differ only in numbers, such as tickets, pages and unread messages. Pure.

import { formatTerm } from "../../filter/term.js";
import { escaped } from "./escaped.js";

/** Placeholder for a number. */
const NUMBER = "#";

/** A string with placeholders for numbers. */
export function folded(text: string): string {
  return text.replace(/\d+/g, NUMBER);
}

/** A pattern that matches a string with any numbers. */
export function foldedPattern(text: string): string {
  return text.split(/\d+/).map(escaped).join("\\d+");
}

/** The fields of a row that folding needs. */
export interface Foldable {
  /** Unique among the rows. */
  readonly key: string;
  /** Displayed label; "" if the events have none. */
  readonly label: string;
  /** Additional text, such as a title's app. */
  readonly note?: string | undefined;
  readonly seconds: number;
  /** The filter condition for it. */
  readonly handle?: string | undefined;
  /** Whether it represents several rows, with `#` for their numbers. */
  readonly isFolded?: boolean | undefined;
}

/** Merges rows whose labels differ only in numbers, the longest first. Single rows do not change. */
export function foldRows<Row extends Foldable>(rows: readonly Row[]): readonly Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = JSON.stringify([folded(row.label), row.note]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return [...groups.values()].map(joined).sort((a, b) => b.seconds - a.seconds);
}

function joined<Row extends Foldable>(group: readonly Row[]): Row {
  const [first, second] = group as [Row, Row?];
  if (second === undefined) return first;
  const seconds = group.reduce((sum, row) => sum + row.seconds, 0);
  const pattern = `^${foldedPattern(first.label)}$`;
  const handle = formatTerm({ kind: "matches", path: ["title"], pattern, ignoreCase: false, not: false });
  return { ...first, label: folded(first.label), seconds, handle: first.handle && handle, isFolded: true };
}
