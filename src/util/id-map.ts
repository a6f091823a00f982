/** Integers per page. */
const PAGE = 4096;

/** Maps integers to values, in pages: no insertion pauses for the rehashing of a large `Map`. */
export class IdMap<Value> {
  readonly #pages: Map<number, Map<number, Value>> = new Map();

  get(id: number): Value | undefined {
    return this.#pages.get(Math.floor(id / PAGE))?.get(id);
  }

  set(id: number, value: Value): void {
    const number = Math.floor(id / PAGE);
    const page = this.#pages.get(number);
    if (page === undefined) this.#pages.set(number, new Map([[id, value]]));
    else page.set(id, value);
  }

  *values(): Generator<Value> {
    for (const page of this.#pages.values()) yield* page.values();
  }
}
