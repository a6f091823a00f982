import { RegexLimitError, STACK_LIMIT } from "./limits.js";

const BLOCK_BITS = 16;
const BLOCK_SIZE = 1 << BLOCK_BITS;
const FIRST_SIZE = 1024;

/** A stack of pairs of numbers, in blocks, so that it grows without copying. */
export class PairStack {
  /** Numbers on the stack. */
  height = 0;
  readonly #blocks: Int32Array[] = [new Int32Array(FIRST_SIZE)];
  /** Capacity in numbers. */
  #room = FIRST_SIZE;

  /** @throws RegexLimitError when it exceeds its limit */
  push(first: number, second: number): void {
    if (this.height === this.#room) this.#grow();
    this.#write(this.height, first, second);
    this.height += 2;
  }

  #write(at: number, first: number, second: number): void {
    const block = this.#blocks[at >> BLOCK_BITS] as Int32Array;
    const index = at & (BLOCK_SIZE - 1);
    block[index] = first;
    block[index + 1] = second;
  }

  #grow(): void {
    if (this.#room >= STACK_LIMIT) throw new RegexLimitError("too much memory");
    if (this.#room === FIRST_SIZE) {
      const block = new Int32Array(BLOCK_SIZE);
      block.set(this.#blocks[0] as Int32Array);
      this.#blocks[0] = block;
      this.#room = BLOCK_SIZE;
      return;
    }
    this.#blocks.push(new Int32Array(BLOCK_SIZE));
    this.#room += BLOCK_SIZE;
  }

  /** The number at a height. */
  at(height: number): number {
    return (this.#blocks[height >> BLOCK_BITS] as Int32Array)[height & (BLOCK_SIZE - 1)] as number;
  }

  /** Drops the pairs above a height whose first number is not negative. */
  dropChoices(from: number): void {
    let kept = from;
    for (let at = from; at < this.height; at += 2) {
      const first = this.at(at);
      if (first >= 0) continue;
      this.#write(kept, first, this.at(at + 1));
      kept += 2;
    }
    this.height = kept;
  }

  /** Empties the stack, and frees most of a large one. */
  clear(): void {
    this.height = 0;
    if (this.#blocks.length === 1) return;
    this.#blocks.length = 1;
    this.#room = BLOCK_SIZE;
  }
}
