import type { JsonObject } from "./json.js";
import { rememberText } from "./json.js";

/** Characters of texts that are known at a time. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** One object for equal JSON texts, as long as they are remembered: events of a bucket share few distinct data. */
export class DistinctTexts {
  readonly #known: Map<string, JsonObject> = new Map();
  #characters = 0;

  /**
   * The object of a text.
   *
   * @param make makes it where the text is not known; it is never to be changed
   */
  objectOf(text: string, make: () => JsonObject): JsonObject {
    const before = this.#known.get(text);
    if (before !== undefined) return before;
    const made = make();
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS) {
      this.#known.clear();
      this.#characters = text.length;
    }
    this.#known.set(text, made);
    rememberText(made, text);
    return made;
  }
}
