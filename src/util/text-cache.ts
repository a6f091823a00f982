/** Values by their text, as long as they are remembered. */
export class TextCache<Value extends { readonly text: string }> {
  readonly #most: number;
  /** What was asked for lately. */
  #known: Map<string, Value> = new Map();
  #characters = 0;
  /** What was asked for before that; goes when as much has been asked for anew. */
  #before: Map<string, Value> = new Map();

  /** @param most characters of texts that are known at a time */
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

  /** Remembers a value. Its text must not be cut out of a larger one, which would stay in memory; see `ownCopyOf`. */
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

/** A text of its own: one that was cut out of a larger one keeps all of that in memory. */
export function ownCopyOf(text: string): string {
  return decoder.decode(encoder.encode(text));
}
