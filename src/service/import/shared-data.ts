import { type JsonObject, rememberText } from "../../domain/json.js";

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
  readonly #most: number;
  /** What was asked for lately. */
  #known: Map<string, KnownData> = new Map();
  #characters = 0;
  /** What was asked for before that; goes when as much has been asked for anew. */
  #before: Map<string, KnownData> = new Map();

  /** @param most characters of texts that are known at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** The data with a text. */
  find(text: string): DraftData | undefined {
    let found = this.#known.get(text);
    if (found === undefined) {
      found = this.#before.get(text);
      if (found === undefined) return undefined;
      this.#know(found);
    }
    if (!found.isShared) {
      found.isShared = true;
      // The storage prints it as well. For data that occur once this would cost more than to print them again.
      rememberText(found.value, found.text);
    }
    return found;
  }

  /** Remembers data that `find` does not know. @param text not cut out of a larger one, which would stay in memory */
  add(text: string, value: JsonObject): DraftData {
    const added = { value, text, isShared: false };
    this.#know(added);
    return added;
  }

  #know(data: KnownData): void {
    this.#characters += data.text.length;
    if (this.#characters > this.#most / 2) {
      this.#before = this.#known;
      this.#known = new Map();
      this.#characters = data.text.length;
    }
    this.#known.set(data.text, data);
  }
}
