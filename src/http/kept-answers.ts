import { joinBytes } from "../domain/bytes.js";
import { Recent } from "../domain/recent.js";
import { isStreamed, type Piece, type Whole } from "./exchange.js";

/** Memory that kept answers may take, in bytes. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Largest answer that is kept, in characters or bytes. */
const LARGEST_KEPT = 256 * 1024;
/** Of an entry without its answer. */
const ENTRY_BYTES = 300;

interface Kept {
  /** What the answer was made of, in which state. */
  readonly revision: string;
  /** `undefined` when it was asked for once only. */
  readonly body: readonly Piece[] | undefined;
}

const encoder: TextEncoder = new TextEncoder();

/** Short answers that are asked for again and again while nothing changes, as pages do that show the latest events. */
export class KeptAnswers {
  readonly #kept: Recent<string, Kept> = new Recent(KEPT_BYTES);

  /**
   * Gives an answer that was made before, or makes it.
   *
   * @param key what is asked for
   * @param revision another text with every change that the answer could show; `undefined` when that is not known
   */
  async answer(
    key: string,
    revision: string | undefined,
    make: () => Promise<Whole | AsyncIterable<Piece>>,
  ): Promise<Whole | AsyncIterable<Piece>> {
    if (revision === undefined) return make();
    const before = this.#kept.get(key);
    const isAskedAgain = before?.revision === revision;
    if (isAskedAgain && before.body !== undefined) return before.body;
    const body = await make();
    // Most answers are asked for once: to keep these would only cost their copying.
    const weight = ENTRY_BYTES + 2 * key.length;
    if (!isAskedAgain) this.#kept.put(key, { revision, body: undefined }, weight);
    if (!isAskedAgain || isStreamed(body)) return body;
    const pieces = typeof body === "string" ? [body] : body;
    if (pieces.reduce((length, piece) => length + piece.length, 0) > LARGEST_KEPT) return body;
    const bytes = joinBytes(pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece)));
    this.#kept.put(key, { revision, body: [bytes] }, weight + bytes.length);
    return [bytes];
  }
}
