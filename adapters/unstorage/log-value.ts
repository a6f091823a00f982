import type { LogBatch } from "../segments/store.js";

/**
 * A value of a log: a line with the head, then pieces. A piece is a line with the sequence number of its batch and the
 * length of its string in UTF-16 units, followed by the string. A batch that is too long for one value is cut into
 * parts, each in a separate value; their lines also contain the part and the number of parts.
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
  /** Each batch that joins a value rewrites it. The greatest version applies. */
  readonly version: number;
}

/** A batch in the log, or a part of it. */
export interface LogPiece extends LogBatch {
  readonly part: number;
  readonly parts: number;
}

/** A parsed value. */
export interface LogValue {
  readonly head: LogHead;
  readonly pieces: readonly LogPiece[];
}

/** A piece as a string. */
export function serializePiece({ sequence, text, part, parts }: LogPiece): string {
  const facts = parts === 1 ? [sequence, text.length] : [sequence, text.length, part, parts];
  return `\n${JSON.stringify(facts)}\n${text}`;
}

/** @param pieces as `serializePiece` returns them, concatenated */
export function serializeLogValue({ log, no, version }: LogHead, pieces: string): string {
  return JSON.stringify({ log, no, version }) + pieces;
}

/** @throws Error for a body that is not a value of a log */
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

/** Cuts a long batch into parts. @param limit maximum UTF-16 units of a part */
export function splitBatch({ sequence, text }: LogBatch, limit: number): LogPiece[] {
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
