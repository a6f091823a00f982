import { messageOf } from "../../src/errors.js";
import { inTurns } from "../../src/util/time-slice.js";
import type { KeySource } from "./encryption.js";
import { corrupt } from "./state.js";
import type { LogBatch, OpenedStore, SegmentStore, StoredEntry } from "./store.js";
import { type KeyGate, type OpenedBatch, Vault } from "./vault.js";

/** Methods of the inner store without access to values. */
const PASSED_THROUGH = [
  ...(["force", "watchLog", "recover", "segments", "check", "eraseDeleted", "reclaim", "refusal", "lost"] as const),
  ...(["releaseReserve", "withReserve", "assertRoom", "disk", "close", "destroy"] as const),
];

/**
 * Wraps a byte store to encrypt its values. The engine is unaware of it. The inner store passes the vault's gate at its
 * opening.
 */
export function sealedStore(inner: SegmentStore, vault: Vault): SegmentStore {
  const { name } = inner;

  function assertReadable<T>(what: string, open: () => T): T {
    try {
      return open();
    } catch (cause) {
      throw corrupt(name, `${what} cannot be read: ${messageOf(cause)}`, cause);
    }
  }

  async function* openEach<T, U>(
    what: string,
    items: Iterable<T> | AsyncIterable<T>,
    open: (item: T) => U,
  ): AsyncGenerator<U> {
    for await (const item of items) yield assertReadable(what, () => open(item));
  }

  /** Opens the batches of a log. Each was sealed as a part of this log, so that a batch of another log is detected. */
  async function* openedLog(batches: OpenedStore["log"]): AsyncGenerator<LogBatch> {
    let first: OpenedBatch | undefined;
    for await (const batch of batches) {
      const opened = assertReadable(`batch ${batch.sequence} of the log`, () => vault.openBatch(batch));
      first ??= opened;
      if (opened.logId !== first.logId) throw corrupt(name, `batch ${batch.sequence} belongs to another log`);
      yield opened;
    }
  }

  return {
    ...passThrough(inner),
    name,
    isEncrypted: true,
    get logBytes() {
      return inner.logBytes;
    },

    async open() {
      const opened = await inner.open();
      const { root, accept } = opened;
      return {
        root: root === undefined ? undefined : assertReadable("its root", () => vault.openRoot(root)),
        records: openEach("a record", opened.records, ([key, sealed]) => vault.openRecord(key, sealed)),
        entries: openEach("the entry of a segment", opened.entries, (entry) => vault.openEntry(entry)),
        log: openedLog(opened.log),
        problems: () => opened.problems(),
        ...(accept !== undefined && { accept: () => accept.call(opened) }),
      };
    },

    append: (batch) => inner.append(vault.sealBatch(batch)),
    beginLog: (snapshot) => inner.beginLog(vault.sealSnapshot(snapshot)),

    /**
     * Seals everything before the inner store receives any of it. For a large commit this takes many event-loop turns.
     */
    async commit(commit) {
      const records = await inTurns(commit.records, ([key, value]) => {
        return [vault.recordName(key), value === undefined ? undefined : vault.sealRecord(key, value)] as const;
      });
      const putSegments = await inTurns(commit.putSegments, ({ bytes, ...entry }) => ({
        ...vault.sealEntry(entry),
        bytes: vault.sealSegment(entry, bytes),
      }));
      await inner.commit({
        ...commit,
        root: vault.sealRoot(commit.root),
        records: new Map(records),
        putSegments,
        *entriesOf(bucketNo): Generator<StoredEntry> {
          for (const entry of commit.entriesOf(bucketNo)) yield vault.sealEntry(entry);
        },
      });
    },

    async readSegment(segment) {
      const sealed = await inner.readSegment(segment);
      if (sealed === undefined) return undefined;
      try {
        return vault.openSegment(segment, sealed);
      } catch {
        // The engine then detects a wrong checksum, and reports which events are affected.
        return new Uint8Array(0);
      }
    },
  };
}

/** The unchanged methods. Optional ones only if the inner store has them. */
function passThrough(store: SegmentStore): Pick<SegmentStore, (typeof PASSED_THROUGH)[number]> {
  const methods = PASSED_THROUGH.map((name) => [name, store[name]?.bind(store)] as const);
  return Object.fromEntries(methods.filter(([, method]) => method !== undefined)) as never;
}

/**
 * Creates a store with or without encryption.
 *
 * @param keys `undefined` for none
 * @param make creates the inner store, which passes the gate at its opening
 */
export function createStore(keys: KeySource | undefined, make: (gate?: KeyGate) => SegmentStore): SegmentStore {
  if (keys === undefined) return make();
  const vault = new Vault(keys);
  return sealedStore(make(vault), vault);
}
