import type { JsonObject } from "./json.js";
import { rememberText } from "./json.js";

/** Characters of texts that are known at a time. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** One object for equal JSON texts, as long as they are remembered: events of a bucket share few distinct data. */
export class Interner {
  readonly #most: number;
  /** What was asked for lately. */
  #known: Map<string, JsonObject> = new Map();
  #characters = 0;
  /** What was asked for before that; goes when as much has been asked for anew. */
  #before: Map<string, JsonObject> = new Map();

  /** @param most characters of texts that are known at a time */
  constructor(most: number = MOST_CHARACTERS) {
    this.#most = most;
  }

  /**
   * The object of a text.
   *
   * @param make makes it where the text is not known; it is never to be changed
   */
  objectOf(text: string, make: () => JsonObject): JsonObject {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const before = this.#before.get(text);
    if (before !== undefined) {
      this.#know(text, before);
      return before;
    }
    const made = make();
    const own = ownCopyOf(text);
    this.#know(own, made);
    rememberText(made, own);
    return made;
  }

  #know(text: string, object: JsonObject): void {
    this.#characters += text.length;
    if (this.#characters > this.#most / 2) {
      this.#before = this.#known;
      this.#known = new Map();
      this.#characters = text.length;
    }
    this.#known.set(text, object);
  }
}

const encoder: TextEncoder = new TextEncoder();
const decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A text that was cut out of a larger one would keep all of that in memory. */
function ownCopyOf(text: string): string {
  return decoder.decode(encoder.encode(text));
}
