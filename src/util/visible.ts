/** Control characters, and characters that change the direction or the lines of a text. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Like `UNSAFE`, but allows line breaks, tabs and colors (`\x1b[31m`). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters
const UNSAFE_IN_TEXT = /[^\P{Cc}\n\t\u001b]|\u001b(?!\[\d*m)|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Like `UNSAFE`, with all control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters
const UNSAFE_IN_LINE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON in which a terminal shows every character. The value does not change. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "").replace(UNSAFE, escaped);
}

/** Makes a string safe for a terminal; line breaks, tabs and colors stay. */
export function visibleText(text: string): string {
  return text.replace(UNSAFE_IN_TEXT, escaped);
}

/** Makes a string safe for a terminal, on one line. */
export function visibleLine(text: string): string {
  return text.replace(UNSAFE_IN_LINE, escaped);
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
