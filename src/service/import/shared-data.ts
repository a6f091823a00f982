import { FlatDataMap, isFlat } from "../../domain/flat-data.js";
import { type JsonObject, rememberText } from "../../domain/json.js";
import { TextCache } from "../../util/text-cache.js";

/** Data of a draft during an import. Events with equal data share one object. */
export interface DraftData {
  readonly value: JsonObject;
  /** The data as a JSON string. */
  readonly text: string;
}

/** Twice the number of distinct data in an import of a month. */
const PLACES = 16 * 1024;

interface KnownData extends DraftData {
  /** Whether more than one draft has it. */
  isShared: boolean;
}

/** Finds equal data, by value or by string, while they are remembered. */
export class SharedData {
  readonly #known: TextCache<KnownData>;
  /** Flat data that occurred at least twice; cleared when they exceed the limit for strings. */
  readonly #flat: FlatDataMap<DraftData> = new FlatDataMap();
  #flatCharacters = 0;
  readonly #most: number;
  /** Checksums of recent strings, each at the index that it determines. */
  readonly #seen: Uint32Array = new Uint32Array(PLACES);

  /** @param most maximum characters of all remembered strings */
  constructor(most: number) {
    this.#most = most;
    this.#known = new TextCache(most);
  }

  /** Returns the shared object for data, with its string. @returns whether it was known before */
  share(data: JsonObject): { readonly shared: DraftData; readonly isKnown: boolean } {
    const same = this.#flat.get(data);
    if (same !== undefined) return { shared: same, isKnown: true };
    const text = JSON.stringify(data);
    const found = this.find(text);
    if (found === undefined) return { shared: this.add(text, data), isKnown: false };
    if (isFlat(data)) this.#rememberFlat(data, found);
    return { shared: found, isKnown: true };
  }

  #rememberFlat(data: JsonObject, found: DraftData): void {
    this.#flatCharacters += found.text.length;
    if (this.#flatCharacters > this.#most) {
      this.#flat.clear();
      this.#flatCharacters = found.text.length;
    }
    this.#flat.getOrSet(data, found);
  }

  /** Finds the data with a given string. */
  find(text: string): DraftData | undefined {
    const found = this.#known.get(text);
    if (found !== undefined && !found.isShared) {
      found.isShared = true;
      // The storage serializes the data as well. For data that occur once this would cost more than serializing them
      // again.
      rememberText(found.value, found.text);
    }
    return found;
  }

  /**
   * Adds data that `find` does not know. Remembers them if their string occurred before: unique data would only take
   * memory.
   *
   * @param text not a slice of a larger string, which would stay in memory
   */
  add(text: string, value: JsonObject): DraftData {
    const added = { value, text, isShared: false };
    const checksum = hashText(text);
    const place = checksum % PLACES;
    if (this.#seen[place] === checksum) this.#known.add(added);
    else this.#seen[place] = checksum;
    return added;
  }
}

/** FNV-1a of the code units. */
function hashText(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}
