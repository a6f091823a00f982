import { type JsonObject, rememberText } from "../../domain/json.js";
import { TextCache } from "../../util/text-cache.js";

/** Data of a draft on its way through an import. Many events have equal ones: one object stands for all of them. */
export interface DraftData {
  readonly value: JsonObject;
  /** The same as JSON text. */
  readonly text: string;
}

interface KnownData extends DraftData {
  /** Whether more than one draft has it. */
  isShared: boolean;
}

/** Finds equal data by their text, as long as they are remembered. */
export class SharedData {
  readonly #known: TextCache<KnownData>;

  /** @param most characters of texts that are known at a time */
  constructor(most: number) {
    this.#known = new TextCache(most);
  }

  /** The data with a text. */
  find(text: string): DraftData | undefined {
    const found = this.#known.get(text);
    if (found !== undefined && !found.isShared) {
      found.isShared = true;
      // The storage serializes it as well. For data that occur once this would cost more than to do that again.
      rememberText(found.value, found.text);
    }
    return found;
  }

  /** Remembers data that `find` does not know. @param text not cut out of a larger one, which would stay in memory */
  add(text: string, value: JsonObject): DraftData {
    const added = { value, text, isShared: false };
    this.#known.add(added);
    return added;
  }
}
