import type { LogBatch } from "../segments/store.js";

/**
 * A value of a log: a line with the head, and then pieces. A piece is a line with the sequence number of its batch and
 * the length of its text in UTF-16 units, and the text. A batch that is too long for one value is cut into parts, each
 * in a value of its own; their lines tell the part and the number of parts as well.
 *
 *     {"log":1,"no":3,"version":2}
 *     [12,18]
 *     {"setting":"theme"}
 *     [13,9]
 *     {"beat":1}
 */
export interface LogHead {
  /** The logs of an epoch count up from 1. */
  readonly log: number;
  /** The values of a log count up from 0. */
  readonly no: number;
  /** A value is written again with each batch that joins it. The greatest version counts. */
  readonly version: number;
}

/** A batch in the log, or a part of it. */
export interface LogPiece extends LogBatch {
  readonly part: number;
  readonly parts: number;
}

/** A value as it was read. */
export interface LogValue {
  readonly head: LogHead;
  readonly pieces: readonly LogPiece[];
}

/** A piece as text. */
export function serializePiece({ sequence, text, part, parts }: LogPiece): string {
  const facts = parts === 1 ? [sequence, text.length] : [sequence, text.length, part, parts];
  return `\n${JSON.stringify(facts)}\n${text}`;
}

/** @param pieces as `serializePiece` makes them, one behind the other */
export function serializeLogValue({ log, no, version }: LogHead, pieces: string): string {
  return JSON.stringify({ log, no, version }) + pieces;
}

/** @throws Error for a body that is no value of a log */
export function parseLogValue(body: string): LogValue {
  let end = lineEnd(body, 0);
  const head = JSON.parse(body.slice(0, end)) as LogHead;
  const pieces: LogPiece[] = [];
  while (end < body.length) {
    const textAt = lineEnd(body, end + 1) + 1;
    const facts = JSON.parse(body.slice(end + 1, textAt - 1)) as [number, number, number?, number?];
    const [sequence, length, part = 0, parts = 1] = facts;
    end = textAt + length;
    if (end > body.length) throw new Error("a batch of it is cut off");
    pieces.push({ sequence, text: body.slice(textAt, end), part, parts });
  }
  return { head, pieces };
}

function lineEnd(body: string, from: number): number {
  const end = body.indexOf("\n", from);
  return end < 0 ? body.length : end;
}

/** Cuts a long batch into parts. @param limit most UTF-16 units of a part */
export function partsOf({ sequence, text }: LogBatch, limit: number): LogPiece[] {
  const texts: string[] = [];
  for (let from = 0; from < text.length || texts.length === 0; ) {
    let to = Math.min(from + limit, text.length);
    // The halves of a surrogate pair would not survive UTF-8.
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
    texts.push(text.slice(from, to));
    from = to;
  }
  return texts.map((each, part) => ({ sequence, text: each, part, parts: texts.length }));
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
