// Literals of the query language (docs/reference/compatibility.md#strings). Only the quote is escaped.

/** Appended to a name that ends in a backslash, which would otherwise escape the quote. Invisible. */
const INVISIBLE = "\u200b";
/** Appended to such a pattern: an empty group, which matches everywhere. */
const EMPTY_GROUP = "(?:)";

/**
 * Formats a string literal. A string that ends in a backslash has no literal, so a pattern gets an empty group there.
 */
export function printText(text: string, kind: "text" | "pattern" = "text"): string {
  const whole = kind === "pattern" && text.endsWith("\\") ? text + EMPTY_GROUP : text;
  return `"${whole.replaceAll('"', '\\"')}"`;
}

/** Formats a list of strings. */
export function printTexts(texts: readonly string[]): string {
  return `[${texts.map((text) => printText(text)).join(", ")}]`;
}

/** Formats a category name; `readName` converts it back. */
export function printName(name: readonly string[]): string {
  return printTexts(name.map((level) => (level.endsWith("\\") ? level + INVISIBLE : level)));
}

/** Converts a category name from a response back. */
export function readName(level: string): string {
  return level.endsWith(`\\${INVISIBLE}`) ? level.slice(0, -1) : level;
}
