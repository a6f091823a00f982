import { FlatDataMap, isFlat } from "../../domain/flat-data.js";
import { type JsonObject, rememberText } from "../../domain/json.js";
import { TextCache } from "../../util/text-cache.js";

/** Data of a draft on its way through an import. Many events have equal ones: one object stands for all of them. */
export interface DraftData {
  readonly value: JsonObject;
  /** The same as JSON text. */
  readonly text: string;
}

/** Twice as many as distinct data that an import of a month brings. */
const PLACES = 16 * 1024;

interface KnownData extends DraftData {
  /** Whether more than one draft has it. */
  isShared: boolean;
}

/** Finds equal data, by themselves or by their text, as long as they are remembered. */
export class SharedData {
  readonly #known: TextCache<KnownData>;
  /** Flat ones that came at least twice; begun anew when they have become as long as the texts may be. */
  readonly #flat: FlatDataMap<DraftData> = new FlatDataMap();
  #flatCharacters = 0;
  readonly #most: number;
  /** Checksums of texts that came lately, each in a place that it determines. */
  readonly #seen: Uint32Array = new Uint32Array(PLACES);

  /** @param most characters of texts that are known at a time */
  constructor(most: number) {
    this.#most = most;
    this.#known = new TextCache(most);
  }

  /** The one object for data, with its text. @returns whether it was known as well */
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

  /**
   * Data that `find` does not know. They are remembered when their text has come before: what comes once would only
   * take memory.
   *
   * @param text not cut out of a larger one, which would stay in memory
   */
  add(text: string, value: JsonObject): DraftData {
    const added = { value, text, isShared: false };
    const checksum = checksumOf(text);
    const place = checksum % PLACES;
    if (this.#seen[place] === checksum) this.#known.add(added);
    else this.#seen[place] = checksum;
    return added;
  }
}

/** FNV-1a of the code units. */
function checksumOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum >>> 0;
}
