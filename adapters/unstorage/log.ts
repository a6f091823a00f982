import { hasCode } from "../../src/errors.js";
import type { LogBatch } from "../segments/store.js";
import { type BlobStore, inGroups } from "./blob-store.js";
import type { DeferredDelete } from "./deferred-delete.js";
import type { FencingToken } from "./fencing-token.js";
import { type LogHead, serializeLogValue, serializePiece, splitBatch } from "./log-value.js";
import { valueName } from "./names.js";
import type { LogPosition } from "./root.js";
import type { RootFile } from "./root-file.js";

/**
 * Batches join the previous value up to this length: an opening then has few values to read, and rewriting them costs
 * little compared to the driver.
 */
const JOINED_CHARS = 1024;
/** Longest piece of one value: some drivers limit the size of values. */
const PIECE_CHARS = 256 * 1024;

/** A written value and its place. Versions of one value are in different places. */
interface Written {
  readonly head: LogHead;
  readonly slot: number;
  readonly pieces: string;
}

/** Options of a log. */
interface LogOptions {
  readonly blobs: BlobStore;
  readonly epoch: string;
  readonly token: FencingToken;
  readonly root: RootFile;
  readonly trash: DeferredDelete;
  /** Values of the previous epoch's log, not needed once this epoch has started one. */
  readonly before: readonly string[];
}

/**
 * Writes the logs of an epoch, one after the other.
 *
 * Each write goes to a place without current data: a new one, or one with an outdated version of a value. A batch with
 * a failed write or check is in doubt until the next log has started. Its place is abandoned, because the driver may
 * still execute the write.
 */
export class Log {
  readonly #options: LogOptions;
  /** Number of the latest log; 0 before the first one. */
  #log = 0;
  #nextLog = 1;
  /** The last value and its next number. Batches may join it while it is short. */
  #last: Written | undefined;
  #nextNo = 0;
  #sequence = 0;
  /** Places of this log, including outdated versions and failed writes. */
  #used: Set<number> = new Set();
  #spare: number[] = [];
  #givenUp: number[] = [];
  #nextSlot = 0;
  /** Values of previous logs. */
  #outdated: readonly string[];
  #bytes = 0;
  #isInDoubt = false;
  /** Set while values are written: a concurrent read may find half of one. */
  #writing: Promise<void> | undefined;
  #version = 0;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#outdated = options.before;
  }

  /** Whether the next opening could find a refused batch. */
  get isInDoubt(): boolean {
    return this.#isInDoubt;
  }

  /** Changes when a write starts and when it ends: odd while values are written. */
  get version(): number {
    return this.#version;
  }

  /** Resolves when no value is being written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** Rough size of what an opening has to read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The values of the current log. */
  get names(): string[] {
    const spare = new Set(this.#spare);
    return [...this.#used].filter((slot) => !spare.has(slot)).map((slot) => this.#slotName(slot));
  }

  /** Place of the current log; `undefined` before this epoch has started one. */
  get position(): LogPosition | undefined {
    return this.#log === 0 ? undefined : { epoch: this.#options.epoch, no: this.#log, through: null };
  }

  /** The position without refused batches, and the number of the first log that would apply instead. */
  get acknowledged(): { readonly log?: LogPosition; readonly nextLog: number } {
    const { position } = this;
    return { ...(position && { log: { ...position, through: this.#sequence } }), nextLog: this.#nextLog };
  }

  /** See `SegmentStore.beginLog`. */
  async begin(snapshot: LogBatch): Promise<void> {
    const log = this.#nextLog++;
    // All places of the previous log are removed next.
    this.#spare = [];
    const written = splitBatch(snapshot, PIECE_CHARS).map((part, no) => this.#newValue(no, serializePiece(part), log));
    await this.#write(written);
    const { trash } = this.#options;
    trash.add([...this.#outdated, ...[...this.#used, ...this.#givenUp].map((slot) => this.#slotName(slot))]);
    this.#used = new Set();
    [this.#outdated, this.#givenUp] = [[], []];
    this.#log = log;
    this.#bytes = 0;
    this.#count(written, snapshot);
  }

  /** See `SegmentStore.append`. */
  async append(batch: LogBatch): Promise<void> {
    if (this.#isInDoubt || this.#log === 0) throw new Error("no log was begun since the last failure");
    const pieces = splitBatch(batch, PIECE_CHARS).map(serializePiece);
    const written = this.#joined(pieces) ?? pieces.map((piece, index) => this.#newValue(this.#nextNo + index, piece));
    await this.#write(written);
    const replaced = this.#last;
    if (replaced !== undefined && replaced.head.no === written[0]?.head.no) {
      this.#spare.push(replaced.slot);
      this.#bytes -= replaced.pieces.length;
    }
    this.#count(written, batch);
  }

  /** The last value joined with a piece, if both are short enough. */
  #joined([piece = "", ...others]: readonly string[]): Written[] | undefined {
    if (others.length > 0 || this.#last === undefined) return undefined;
    const { head, pieces } = this.#last;
    if (pieces.length + piece.length > JOINED_CHARS) return undefined;
    return [{ head: { ...head, version: head.version + 1 }, slot: this.#freeSlot(), pieces: pieces + piece }];
  }

  #newValue(no: number, pieces: string, log: number = this.#log): Written {
    return { head: { log, no, version: 1 }, slot: this.#freeSlot(), pieces };
  }

  #freeSlot(): number {
    return this.#spare.pop() ?? this.#nextSlot++;
  }

  async #write(written: readonly Written[]): Promise<void> {
    const { blobs, token, root } = this.#options;
    if (token.lost !== undefined) throw token.lost;
    if (root.isInDoubt) await root.settle();
    this.#isInDoubt = true;
    this.#version++;
    const writing = inGroups(written, ({ head, slot, pieces }) =>
      blobs.write(this.#slotName(slot), serializeLogValue(head, pieces)),
    );
    const ended = (): void => {
      this.#version++;
    };
    this.#writing = writing.then(ended, ended);
    try {
      await writing;
      await token.verify();
    } catch (thrown) {
      this.#givenUp.push(...written.map(({ slot }) => slot));
      throw refusal(thrown);
    }
    this.#isInDoubt = false;
  }

  #count(written: readonly Written[], { sequence }: LogBatch): void {
    for (const { head, slot, pieces } of written) {
      this.#used.add(slot);
      this.#bytes += pieces.length;
      this.#nextNo = head.no + 1;
    }
    const last = written.at(-1);
    // Longer pieces need not stay in memory.
    this.#last = last !== undefined && last.pieces.length < JOINED_CHARS ? last : undefined;
    this.#sequence = sequence;
  }

  #slotName(slot: number): string {
    return valueName("log", this.#options.epoch, slot);
  }
}

/** The next opening may find the batch, unless there was no space: a value without space is cut off. */
function refusal(thrown: unknown): unknown {
  if (!hasCode(thrown, "STORAGE_FAILED")) return thrown;
  return Object.assign(new Error(thrown.message, { cause: thrown }), { mayBeStored: true });
}
