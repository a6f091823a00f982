/** A regular expression that matches a string literally. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Whether an invalid condition starts a pattern without an end. Linear, because a link can contain any text. */
export function hasOpenPattern(text: string): boolean {
  return /~\s*\//.test(text.slice(text.lastIndexOf('"') + 1));
}
