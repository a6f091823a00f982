import type { Fault } from "../domain/fault.js";
import { ActivityError, type ActivityErrorOptions, quote } from "../errors.js";

/**
 * Kind of a program's error (docs/reference/query.md#errors): a syntax error, an error during evaluation, or a wrong
 * argument of a function.
 */
export type QueryErrorType = "QueryParseException" | "QueryInterpretException" | "QueryFunctionException";

/** A position in the source of a program. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** An error in a program, with its position. */
export class QueryError extends ActivityError {
  readonly type: QueryErrorType;
  readonly place: Place;

  constructor(type: QueryErrorType, message: string, place: Place, options?: ActivityErrorOptions) {
    super("QUERY_FAILED", message, options);
    this.type = type;
    this.place = place;
  }

  /** Checks by shape, because both builds of this class can meet in one process. */
  static isQuery(value: unknown): value is QueryError {
    return ActivityError.is(value) && "type" in value && "place" in value;
  }
}

/** An error at an offset of the program, before the source is available. */
export class QuerySyntaxError extends Error {
  readonly type: QueryErrorType;
  /** Index into the source, in UTF-16 code units. */
  readonly offset: number;
  readonly fault: Fault;

  constructor(type: QueryErrorType, message: string, offset: number, fault: Fault | string, cause?: Error) {
    super(message, cause && { cause });
    this.type = type;
    this.offset = offset;
    this.fault = typeof fault === "string" ? { name: fault, values: {} } : fault;
  }
}

/** Maximum length of the excerpt of a line in messages, in characters. */
const EXCERPT_LENGTH = 76;

/** Adds the position to the message: line, column, and the line with a caret under the position. */
export function locateError({ type, message, offset, cause, fault }: QuerySyntaxError, text: string): QueryError {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const line = text.slice(0, start).split("\n").length;
  const column = offset - start + 1;
  const end = text.indexOf("\n", start);
  const whole = text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
  // Long lines show only the part around the position.
  const from = column <= EXCERPT_LENGTH ? 0 : column - EXCERPT_LENGTH / 2;
  const shown = whole.slice(from, from + EXCERPT_LENGTH);
  const lead = shown.slice(0, offset - start - from).replace(/[^\t]/g, " ");
  const full = `${message} (line ${line}, column ${column})\n  ${shown}\n  ${lead}^`;
  const place = { line, column };
  const found = { reason: message, ...fault, place: { ...place, ...fault.place } };
  return new QueryError(type, full, place, { ...(cause !== undefined && { cause }), fault: found });
}

/** Longest name that suggestions are searched for, in characters. */
const LONGEST_SUGGESTED = 64;

/** Maximum edit distance of a suggestion: one for short names, two for longer ones. */
function maxEdits(name: string): number {
  return name.length < 5 ? 1 : 2;
}

/** The error for an unknown name, with a suggestion if a similar name exists. @param kind of the missing name */
export function unknownNameError(
  kind: "variable" | "function",
  name: string,
  { known, offset }: { readonly known: Iterable<string>; readonly offset: number },
): QuerySyntaxError {
  const like = findClosest(name, known);
  const hint = like === undefined ? "" : `, did you mean '${like}'?`;
  const which = kind === "variable" ? "noSuchVariable" : "noSuchFunction";
  const quoted = quote(name);
  const fault =
    like === undefined
      ? { name: which, values: { name: quoted } }
      : { name: `${which}But`, values: { name: quoted, like: quote(like) } };
  return new QuerySyntaxError("QueryInterpretException", `no ${kind} ${quoted}${hint}`, offset, fault);
}

/** The known name that is most similar to an unknown one. */
function findClosest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST_SUGGESTED) return undefined;
  let best: string | undefined;
  let fewest = maxEdits(name) + 1;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase(), fewest);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

/** Edit distance of two strings (insertions, deletions, replacements, swaps of neighbors), at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + cost);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) edits = Math.min(edits, (before[j - 2] as number) + 1);
      row.push(edits);
    }
    before = above;
    above = row;
  }
  return Math.min(above[b.length] as number, limit);
}
