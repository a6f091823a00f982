import { isActivityClientError } from "../../../client/errors.js";

/** Position of an error in a program; both from 1, columns in UTF-16 code units. */
export interface ErrorPlace {
  readonly line: number;
  readonly column: number;
}

/** The error's position in the program; `undefined` for other failures. */
export function errorPlaceOf(error: unknown): ErrorPlace | undefined {
  const { line, column } = (isActivityClientError(error) && error.fault?.place) || {};
  return line === undefined || column === undefined ? undefined : { line, column };
}

/** The index of a position in a text, limited to its end. */
export function offsetOf(text: string, { line, column }: ErrorPlace): number {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf("\n", start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  return Math.min(start + column - 1, text.length);
}
