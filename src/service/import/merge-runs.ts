import type { Waiting } from "../../util/waiting.js";
import { compareDrafts, type RunCursor, type RunDraft, type SortedRun } from "./draft-run.js";

/** Maximum number of bytes that all runs together read at a time, and the limits for one of them. */
const READ_BYTES = 3 * 1024 * 1024;
const MAX_READ_BYTES = 16 * 1024;
const MIN_READ_BYTES = 2 * 1024;

/** Merges the drafts of several runs in the order of `compareDrafts`, a few at a time. */
export class RunMerger {
  /** Unopened runs, the latest one first. */
  readonly #waiting: SortedRun[];
  /** A binary heap: each cursor is ordered before the two at twice its index. */
  readonly #heap: RunCursor[] = [];
  /** Whether the first draft was taken, and its cursor must move on. */
  #isTaken = false;
  /** Maximum number of bytes that one run reads at a time. */
  readonly #readBytes: number;

  constructor(runs: readonly SortedRun[]) {
    this.#readBytes = Math.max(MIN_READ_BYTES, Math.min(MAX_READ_BYTES, Math.floor(READ_BYTES / runs.length)));
    this.#waiting = [...runs].sort((a, b) => b.first - a.first);
  }

  /** Await it before `take()`: a run may have to be opened, or read from a file. */
  ready(): Waiting {
    const moving = this.#isTaken ? this.#heap[0]?.next() : undefined;
    if (moving !== undefined) {
      return moving.then(() => {
        this.#settle();
        return this.#openDue();
      });
    }
    if (this.#isTaken) this.#settle();
    return this.#openDue();
  }

  /** The next draft; `undefined` after the last one. */
  take(): RunDraft | undefined {
    const draft = this.#heap[0]?.draft;
    this.#isTaken = draft !== undefined;
    return draft;
  }

  #settle(): void {
    this.#isTaken = false;
    if (this.#heap[0]?.draft === undefined) {
      const last = this.#heap.pop() as RunCursor;
      if (this.#heap.length > 0) this.#heap[0] = last;
    }
    this.#sink();
  }

  #openDue(): Waiting {
    const opening = this.#waiting.at(-1);
    const top = this.#heap[0]?.draft;
    const isDue = opening !== undefined && (top === undefined || opening.first <= top.timestamp);
    return isDue ? this.#openNext() : undefined;
  }

  async #openNext(): Promise<void> {
    const cursor = await (this.#waiting.pop() as SortedRun).open(this.#readBytes);
    if (cursor.draft !== undefined) {
      this.#heap.push(cursor);
      this.#rise();
    }
    return this.#openDue();
  }

  #rise(): void {
    for (let at = this.#heap.length - 1; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      let first = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < this.#heap.length && this.#isBefore(below, first)) first = below;
      }
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #isBefore(a: number, b: number): boolean {
    return compareDrafts(this.#draft(a), this.#draft(b)) < 0;
  }

  #draft(at: number): RunDraft {
    return this.#heap[at]?.draft as RunDraft;
  }

  #swap(a: number, b: number): void {
    const kept = this.#heap[a] as RunCursor;
    this.#heap[a] = this.#heap[b] as RunCursor;
    this.#heap[b] = kept;
  }
}
