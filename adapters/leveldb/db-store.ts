import { ActivityError, messageOf } from "../../src/errors.js";
import type { StorageProblem } from "../../src/storage/health.js";
import type { Durability } from "../../src/storage/storage.js";
import { addSum, removeSum } from "../segments/checksum.js";
import { isFull } from "../segments/failures.js";
import { parseRing } from "../segments/key-ring.js";
import { startsLog } from "../segments/log-codec.js";
import { corrupt } from "../segments/state.js";
import type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore } from "../segments/store.js";
import { type KeyGate, keysDamaged, PLAIN_GATE } from "../segments/vault.js";
import { type Change, changesOf, Database, type LevelDatabase } from "./database.js";
import { tooOld } from "./format-file.js";

const LOG_PREFIX = "l!";
const LOG_DIGITS = 11;
const DAMAGED_PREFIX = "q!";
/** The wrapped keys of an encrypted storage, twice: without them, all data are unreadable. */
const KEYS_KEYS = ["m!keys", "m!keys-copy"] as const;

function logKey(sequence: number): string {
  return LOG_PREFIX + sequence.toString(36).padStart(LOG_DIGITS, "0");
}

/** The store in an embedder's database. The log is stored under keys of it. */
export class DbStore implements SegmentStore {
  readonly name: string = "the given database";
  readonly #level: LevelDatabase;
  readonly #database: Database;
  readonly #isForced: boolean;
  /** Keys of the log, and the size of their values. */
  #logKeys: string[] = [];
  #logBytes = 0;
  #hasFailed = false;
  /** The first damaged value of the log and those after it. */
  #damaged: (readonly [key: string, stored: string])[] = [];
  /** Number of the current commit. */
  #committed = 0;
  #problems: StorageProblem[] = [];

  readonly #gate: KeyGate;

  constructor(level: LevelDatabase, durability: Durability, gate: KeyGate = PLAIN_GATE) {
    this.#gate = gate;
    this.#level = level;
    this.#database = new Database(level);
    this.#isForced = durability === "power-loss";
  }

  get logBytes(): number {
    return this.#logBytes;
  }

  async open(): Promise<OpenedStore> {
    await this.#unlock((await this.#openLevel()) === "empty");
    this.#committed = await this.#database.commitNumber();
    const log = await this.#readLog();
    return {
      root: await this.#database.root(),
      records: this.#database.records(),
      entries: this.#database.entries(),
      log,
      problems: () => this.#problems,
    };
  }

  async append({ sequence, text }: LogBatch): Promise<void> {
    const key = logKey(sequence);
    await this.#write([[key, addSum(key, text).stored]], this.#isForced);
    this.#logKeys.push(key);
    this.#logBytes += text.length;
  }

  async force(): Promise<void> {
    if (!this.#isForced) await this.#write([["m!forced", String(this.#logKeys.length)]], true);
  }

  async beginLog({ sequence, text }: LogBatch): Promise<void> {
    const key = logKey(sequence);
    const earlier = this.#logKeys.filter((known) => known !== key);
    // Values after the snapshot from a failed append are overwritten or removed with the rest.
    for await (const [known] of this.#database.entriesBelow(LOG_PREFIX)) {
      if (known !== key && !earlier.includes(known)) earlier.push(known);
    }
    const changes = earlier.map((known): Change => [known, undefined]);
    // Damaged values are kept for salvage.
    for (const [known, stored] of this.#damaged) changes.push([DAMAGED_PREFIX + known, stored]);
    await this.#repair();
    await this.#write([...changes, [key, addSum(key, text).stored]], true);
    this.#damaged = [];
    this.#logKeys = [key];
    this.#logBytes = text.length;
  }

  async commit(commit: Commit): Promise<void> {
    await this.#write(changesOf(commit), true);
    this.#committed = commit.number;
  }

  async recover(): Promise<number> {
    await this.#repair();
    const number = await this.#database.commitNumber();
    if (number < this.#committed) throw corrupt(this.name, `commits after number ${number} were lost`);
    return number;
  }

  readSegment(name: SegmentName): Promise<Uint8Array | undefined> {
    return this.#database.segment(name);
  }

  segments(): AsyncIterable<SegmentName> {
    return this.#database.segments();
  }

  eraseDeleted(): Promise<void> {
    return this.#database.eraseDeleted();
  }

  reclaim(bucketNo: number): Promise<void> {
    return this.#database.reclaim(bucketNo);
  }

  /** The database stays open: it belongs to the embedder. */
  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    if ((await this.#openLevel()) === "empty") return;
    await this.#database.clear();
    await this.#database.eraseDeleted();
  }

  /** @throws ActivityError `STORAGE_TOO_OLD`; `STORAGE_UNUSABLE` for a database with other data */
  async #openLevel(): Promise<"empty" | "ours"> {
    await this.#level.open();
    const content = await this.#database.content();
    if (content === "old") throw tooOld(this.name);
    if (content !== "foreign") return content;
    const message = "the given database contains other data; pass a separate database, or a sublevel";
    throw new ActivityError("STORAGE_UNUSABLE", message);
  }

  async #unlock(isNew: boolean): Promise<void> {
    const found = await Promise.all(KEYS_KEYS.map((key) => this.#database.text(key)));
    const kept = found.find((line) => line !== undefined && parseRing(line, this.name) !== undefined);
    if (kept === undefined && found.some((line) => line !== undefined)) throw keysDamaged(this.name);
    const ring = await this.#gate.pass(kept, { name: this.name, isNew });
    if (ring === undefined || found.every((line) => line === ring)) return;
    await this.#database.write(
      KEYS_KEYS.map((key): Change => [key, ring]),
      true,
    );
  }

  async #write(changes: Iterable<Change>, sync: boolean): Promise<void> {
    try {
      await this.#database.write(changes, sync);
    } catch (cause) {
      this.#hasFailed = true;
      // The database may still have stored the write, except without space.
      throw Object.assign(new Error(messageOf(cause), { cause }), { mayBeStored: !isFull(cause) });
    }
  }

  /**
   * Starts a new log after a failed write. LevelDB would continue after the incomplete bytes, and lose later
   * acknowledged writes at the next opening.
   */
  async #repair(): Promise<void> {
    if (!this.#hasFailed) return;
    await this.#database.renewLog();
    this.#hasFailed = false;
  }

  async #readLog(): Promise<LogBatch[]> {
    const batches: LogBatch[] = [];
    let dropped = 0;
    for await (const [key, stored] of this.#database.entriesBelow(LOG_PREFIX)) {
      const sequence = Number.parseInt(key.slice(LOG_PREFIX.length), 36);
      const text = decodeValue(key, stored);
      const before = batches.at(-1);
      const fits = before === undefined ? text !== undefined && startsLog(text) : before.sequence + 1 === sequence;
      if (before === undefined && !fits) throw corrupt(this.name, "the start of its log is damaged");
      this.#logKeys.push(key);
      if (this.#damaged.length > 0 || text === undefined || !fits) {
        this.#damaged.push([key, stored]);
        if (text !== undefined) dropped++;
        continue;
      }
      batches.push({ sequence, text });
      this.#logBytes += text.length;
    }
    if (batches.length === 0 && this.#committed > 0) throw corrupt(this.name, "its log is missing");
    if (this.#damaged.length > 0) {
      const message = `the log is damaged: ${dropped} batches after the damage were dropped; they are kept for salvage`;
      this.#problems.push({ kind: "dropped", message });
    }
    return batches;
  }
}

function decodeValue(key: string, stored: string): string | undefined {
  try {
    return removeSum(key, stored).text;
  } catch {
    return undefined;
  }
}
