/** A cache of values by their strings. */
export class TextCache<Value extends { readonly text: string }> {
  readonly #most: number;
  /** Recently used values. */
  #known: Map<string, Value> = new Map();
  #characters = 0;
  /** Values used before those; dropped once as many have been used again. */
  #before: Map<string, Value> = new Map();

  /** @param most maximum number of characters of all cached strings */
  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): Value | undefined {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const before = this.#before.get(text);
    if (before !== undefined) this.add(before);
    return before;
  }

  /** Adds a value. Its string must not be a slice of a larger one, which would stay in memory; see `ownCopyOf`. */
  add(value: Value): void {
    const { text } = value;
    this.#characters += text.length;
    if (this.#characters > this.#most / 2) {
      this.#before = this.#known;
      this.#known = new Map();
      this.#characters = text.length;
    }
    this.#known.set(text, value);
  }
}

const encoder: TextEncoder = new TextEncoder();
const decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Copies a string: a slice of a larger string keeps all of that in memory. */
export function ownCopyOf(text: string): string {
  return decoder.decode(encoder.encode(text));
}
