import type { Micros } from "../../domain/time.js";

/** Told of time that nothing covered before. */
export type OnPart = (from: Micros, to: Micros) => void;

/** Time that events cover, each moment of it counted once. */
export interface Coverage {
  /** @param onPart told of each part of an event that none before it covered */
  add(start: Micros, end: Micros, onPart: OnPart): void;
}

/** For events that come by ascending start. */
export class CoverageUp implements Coverage {
  #end: Micros = Number.NEGATIVE_INFINITY;

  add(start: Micros, end: Micros, onPart: OnPart): void {
    const from = Math.max(start, this.#end);
    if (end <= from) return;
    onPart(from, end);
    this.#end = end;
  }
}

/** For events that come by descending start: those before may leave gaps that a long one fills. */
export class CoverageDown implements Coverage {
  /** What is covered, the earliest last; no two of them touch. */
  readonly #starts: Micros[] = [];
  readonly #ends: Micros[] = [];

  add(start: Micros, end: Micros, onPart: OnPart): void {
    if (end <= start) return;
    let from = start;
    let covered = end;
    while (this.#starts.length > 0 && (this.#starts.at(-1) as Micros) <= end) {
      const nextStart = this.#starts.pop() as Micros;
      const nextEnd = this.#ends.pop() as Micros;
      if (nextStart > from) onPart(from, nextStart);
      from = Math.max(from, nextEnd);
      covered = Math.max(covered, nextEnd);
    }
    if (from < end) onPart(from, end);
    this.#starts.push(start);
    this.#ends.push(covered);
  }
}
