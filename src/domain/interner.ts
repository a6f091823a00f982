import { ownCopyOf, TextCache } from "../util/text-cache.js";
import { type JsonObject, rememberText } from "./json.js";

/** Characters of texts that are known at a time. */
const MOST_CHARACTERS = 1024 * 1024;

/** One object for equal JSON texts, as long as they are remembered: events of a bucket share few distinct data. */
export class Interner {
  readonly #known: TextCache<{ readonly text: string; readonly object: JsonObject }>;

  /** @param most characters of texts that are known at a time */
  constructor(most: number = MOST_CHARACTERS) {
    this.#known = new TextCache(most);
  }

  /**
   * The object of a text.
   *
   * @param make makes it where the text is not known; it is never to be changed
   */
  objectOf(text: string, make: () => JsonObject): JsonObject {
    const known = this.#known.get(text);
    if (known !== undefined) return known.object;
    const made = { text: ownCopyOf(text), object: make() };
    this.#known.add(made);
    rememberText(made.object, made.text);
    return made.object;
  }
}
