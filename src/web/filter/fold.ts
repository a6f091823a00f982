// Titles that differ in numbers only, as one: of tickets, pages and unread messages. Pure.

import { formatTerm } from "../../filter/term.js";
import { escaped } from "./program.js";

/** What stands for a number. */
const NUMBER = "#";

/** A text without its numbers. */
export function folded(text: string): string {
  return text.replace(/\d+/g, NUMBER);
}

/** The pattern that finds a text whatever its numbers are. */
export function foldedPattern(text: string): string {
  return text.split(/\d+/).map(escaped).join("\\d+");
}

/** What of a row it takes to fold it. */
export interface Foldable {
  readonly key: string;
  readonly label: string;
  readonly note?: string | undefined;
  readonly seconds: number;
  readonly handle?: string | undefined;
  /** Whether it is several, with `#` in the label for their numbers. */
  readonly isFolded?: boolean | undefined;
}

/** Puts rows together whose labels differ in numbers only, the longest first. A row alone stays as it is. */
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
