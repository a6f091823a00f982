/** Where in a program the server found an error; both from 1, columns in UTF-16 code units. */
export interface ErrorPlace {
  readonly line: number;
  readonly column: number;
}

/** What the server says is wrong with a program. */
export interface ProgramError {
  /** Without the place, and without the line that it quotes. */
  readonly reason: string;
  readonly place: ErrorPlace | undefined;
}

const PLACE = /^(?<reason>[\s\S]*?) \(line (?<line>\d+), column (?<column>\d+)\)$/;

/** Reads a message of the query engine: `reason (line 2, column 10)`, then the line and a caret below it. */
export function readProgramError(message: string): ProgramError {
  const lines = message.split("\n");
  // A quoted text in the reason can hold line breaks, so the place is looked for from the end.
  for (let count = lines.length; count > 0; count--) {
    const found = PLACE.exec(lines.slice(0, count).join("\n"))?.groups;
    if (found === undefined) continue;
    return {
      reason: found["reason"] ?? message,
      place: { line: Number(found["line"]), column: Number(found["column"]) },
    };
  }
  return { reason: message, place: undefined };
}

/** The index of a place in a text; at most its end. */
export function offsetOf(text: string, { line, column }: ErrorPlace): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf("\n", start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(start + column - 1, text.length);
}
