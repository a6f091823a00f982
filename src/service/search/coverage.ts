import type { Micros } from "../../domain/time.js";

/** Called with time that no earlier event covered. */
export type OnNewPart = (from: Micros, to: Micros) => void;

/** The time that events cover, without counting any of it twice. */
export interface Coverage {
  /** @param onPart called for each part of an event that no earlier one covered */
  add(start: Micros, end: Micros, onPart: OnNewPart): void;
}

/** For events in ascending order of their starts. */
export class AscendingCoverage implements Coverage {
  #end: Micros = Number.NEGATIVE_INFINITY;

  add(start: Micros, end: Micros, onPart: OnNewPart): void {
    const from = Math.max(start, this.#end);
    if (end <= from) return;
    onPart(from, end);
    this.#end = end;
  }
}

/** For events in descending order of their starts: earlier ones may leave gaps that a long one fills. */
export class DescendingCoverage implements Coverage {
  /** The covered ranges, the earliest last; no two of them touch. */
  readonly #starts: Micros[] = [];
  readonly #ends: Micros[] = [];

  add(start: Micros, end: Micros, onPart: OnNewPart): void {
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
