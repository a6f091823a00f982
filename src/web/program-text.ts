// Literals of the query language (docs/compatibility.md#strings): the only escape is that of the quote.

/** Stands behind a backslash that would otherwise escape the quote at the end of a name; nobody sees it. */
const INVISIBLE = "\u200b";
/** The same in a pattern: an empty group, which matches everywhere. */
const EMPTY_GROUP = "(?:)";

/** A text as a literal. One that ends in a backslash has no literal: a pattern gets an empty group there. */
export function printText(text: string, kind: "text" | "pattern" = "text"): string {
  const whole = kind === "pattern" && text.endsWith("\\") ? text + EMPTY_GROUP : text;
  return `"${whole.replaceAll('"', '\\"')}"`;
}

/** A list of texts. */
export function printTexts(texts: readonly string[]): string {
  return `[${texts.map((text) => printText(text)).join(", ")}]`;
}

/** The name of a category; `readName` gives back what was meant. */
export function printName(name: readonly string[]): string {
  return printTexts(name.map((level) => (level.endsWith("\\") ? level + INVISIBLE : level)));
}

/** The name of a category in an answer. */
export function readName(level: string): string {
  return level.endsWith(`\\${INVISIBLE}`) ? level.slice(0, -1) : level;
}
