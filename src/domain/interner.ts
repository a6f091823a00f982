import { type CountedIn, ownCopyOf, TextCache } from "../util/text-cache.js";
import { type JsonObject, rememberText } from "./json.js";

/** Maximum number of characters in cached JSON. */
const MAX_CHARACTERS = 1024 * 1024;

/** Returns one object for equal JSON while it is cached: events of a bucket share few distinct data. */
export class Interner {
  readonly #known: TextCache<{ readonly text: string; readonly object: JsonObject }>;

  /** @param most maximum number of characters in cached JSON */
  constructor(most: number = MAX_CHARACTERS, counted?: CountedIn) {
    this.#known = new TextCache(most, counted);
  }

  clear(): void {
    this.#known.clear();
  }

  /**
   * The object of a JSON string.
   *
   * @param make creates the object if it is not cached; the object must not change
   */
  intern(text: string, make: () => JsonObject): JsonObject {
    const known = this.#known.get(text);
    if (known !== undefined) return known.object;
    const made = { text: ownCopyOf(text), object: make() };
    this.#known.add(made);
    rememberText(made.object, made.text);
    return made.object;
  }
}
