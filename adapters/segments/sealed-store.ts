import { messageOf } from "../../src/errors.js";
import type { StorageProblem } from "../../src/storage/health.js";
import { inTurns } from "../../src/util/time-slice.js";
import type { KeySource } from "./encryption.js";
import { corrupt } from "./state.js";
import type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore, StoredEntry } from "./store.js";
import { type KeyGate, type OpenedBatch, Vault } from "./vault.js";

/**
 * A byte store whose values are sealed on their way to another one, and opened on their way back. The engine above
 * knows nothing of it; the store below has passed the vault's gate when it is open.
 */
export class SealedStore implements SegmentStore {
  readonly name: string;
  readonly isEncrypted = true;
  readonly #inner: SegmentStore;
  readonly #vault: Vault;

  constructor(inner: SegmentStore, vault: Vault) {
    this.name = inner.name;
    this.#inner = inner;
    this.#vault = vault;
  }

  get logBytes(): number {
    return this.#inner.logBytes;
  }

  async open(): Promise<OpenedStore> {
    const opened = await this.#inner.open();
    const vault = this.#vault;
    const { root, accept } = opened;
    return {
      root: root === undefined ? undefined : this.#readable("its root", () => vault.openRoot(root)),
      records: this.#each("a record", opened.records, ([name, sealed]) => vault.openRecord(name, sealed)),
      entries: this.#each("the entry of a segment", opened.entries, (entry) => vault.openEntry(entry)),
      log: this.#log(opened.log),
      problems: () => opened.problems(),
      ...(accept !== undefined && { accept: () => accept.call(opened) }),
    };
  }

  append(batch: LogBatch): void | Promise<void> {
    return this.#inner.append(this.#vault.sealBatch(batch));
  }

  force(): Promise<void> {
    return this.#inner.force();
  }

  beginLog(snapshot: LogBatch): Promise<void> {
    return this.#inner.beginLog(this.#vault.sealSnapshot(snapshot));
  }

  watchLog(onFailed: () => void): void {
    this.#inner.watchLog?.(onFailed);
  }

  /** Nothing of it reaches the store below before all is sealed, which a large commit takes many turns for. */
  async commit(commit: Commit): Promise<void> {
    const vault = this.#vault;
    const records = await inTurns(commit.records, ([key, value]) => {
      return [vault.recordName(key), value === undefined ? undefined : vault.sealRecord(key, value)] as const;
    });
    const putSegments = await inTurns(commit.putSegments, ({ bytes, ...entry }) => ({
      ...vault.sealEntry(entry),
      bytes: vault.sealSegment(entry, bytes),
    }));
    await this.#inner.commit({
      ...commit,
      root: vault.sealRoot(commit.root),
      records: new Map(records),
      putSegments,
      *entriesOf(bucketNo): Generator<StoredEntry> {
        for (const entry of commit.entriesOf(bucketNo)) yield vault.sealEntry(entry);
      },
    });
  }

  recover(): Promise<number> {
    return this.#inner.recover();
  }

  async readSegment(name: SegmentName): Promise<Uint8Array | undefined> {
    const sealed = await this.#inner.readSegment(name);
    if (sealed === undefined) return undefined;
    try {
      return this.#vault.openSegment(name, sealed);
    } catch {
      // The engine finds that they fail its checksum, and says which events that are.
      return new Uint8Array(0);
    }
  }

  segments(): AsyncIterable<SegmentName> {
    return this.#inner.segments();
  }

  async check(): Promise<readonly StorageProblem[]> {
    return (await this.#inner.check?.()) ?? [];
  }

  async eraseDeleted(): Promise<void> {
    await this.#inner.eraseDeleted?.();
  }

  async reclaim(bucketNo: number): Promise<void> {
    await this.#inner.reclaim?.(bucketNo);
  }

  refusal(): Error | undefined {
    return this.#inner.refusal?.();
  }

  lost(): Error | undefined {
    return this.#inner.lost?.();
  }

  async releaseReserve(): Promise<boolean> {
    return (await this.#inner.releaseReserve?.()) ?? false;
  }

  withReserve<T>(work: () => Promise<T>): Promise<T> {
    return this.#inner.withReserve?.(work) ?? work();
  }

  async assertRoom(bytes: number): Promise<void> {
    await this.#inner.assertRoom?.(bytes);
  }

  disk(): ReturnType<NonNullable<SegmentStore["disk"]>> {
    return this.#inner.disk?.();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async *#each<T, U>(what: string, items: Iterable<T> | AsyncIterable<T>, open: (item: T) => U): AsyncGenerator<U> {
    for await (const item of items) yield this.#readable(what, () => open(item));
  }

  /** All batches of a log were sealed as parts of it: none of another one takes their place. */
  async *#log(batches: OpenedStore["log"]): AsyncGenerator<LogBatch> {
    let first: OpenedBatch | undefined;
    for await (const batch of batches) {
      const opened = this.#readable(`batch ${batch.sequence} of the log`, () => this.#vault.openBatch(batch));
      first ??= opened;
      if (opened.logId !== first.logId) throw corrupt(this.name, `batch ${batch.sequence} is of another log`);
      yield opened;
    }
  }

  #readable<T>(what: string, open: () => T): T {
    try {
      return open();
    } catch (cause) {
      throw corrupt(this.name, `${what} cannot be read: ${messageOf(cause)}`, cause);
    }
  }
}

/**
 * A store with encryption, or without any.
 *
 * @param keys `undefined` for none
 * @param make makes the store below, which passes the gate when it is opened
 */
export function sealedBy(keys: KeySource | undefined, make: (gate?: KeyGate) => SegmentStore): SegmentStore {
  if (keys === undefined) return make();
  const vault = new Vault(keys);
  return new SealedStore(make(vault), vault);
}
