import { randomInt } from "node:crypto";
import type { Operation, TextDatabase } from "./database.js";
import type { JournalFiles } from "./journal-files.js";
import { decodeRecords, encodeRecord } from "./journal-record.js";
import { del, JOURNAL_KEY, JOURNAL_RANGE, type JournalMark, journalMarkFrom, put } from "./layout.js";

/** A database behind a journal. */
export interface JournaledDatabase extends TextDatabase {
  /** Carries everything over and leaves no journal behind. */
  settle(): Promise<void>;
}

/** Batches of more characters, and all with segments, go to the engine directly. */
const JOURNALED_CHARACTERS = 32 * 1024;
/** So much waits in the journal at the most before it is carried over: operations take the engine 2 µs each. */
const MOST_OPERATIONS = 2048;
const MOST_BYTES = 1024 * 1024;

/**
 * Puts a journal before a database. The engine hands each batch to a thread, and that costs a heartbeat more than
 * everything else together; a write to a file is handed to the operating system at once, and survives the same: the
 * end of the process, not of the power. The engine gets what was journaled later, in large batches, of which those
 * keys that were written over meanwhile are no longer part.
 *
 * The database holds the number of the last record that it has: later ones are read from the journal at the next
 * start. Records without a gap alone count, so that after a loss of power, which may take from the middle, the state is
 * one that there was.
 *
 * @throws Error when what an earlier process left in the journal cannot be carried over
 */
export async function journaled(database: TextDatabase, files: JournalFiles): Promise<JournaledDatabase> {
  const found = await markOf(database);
  const mark = found ?? { salt: randomInt(2 ** 32), no: 0 };
  const { salt } = mark;
  let { no } = mark;
  /** What the engine does not have yet, by key. */
  let waiting = new Map<string, Operation>();
  let waitingBytes = 0;
  /** What is being handed over. */
  let handing: { readonly operations: Map<string, Operation>; readonly done: Promise<void> } | undefined;
  /** Set while the journal takes nothing: until the database has its mark, and when it has refused something. */
  let direct = true;
  /** Whether the database has the mark. */
  let marked = found !== undefined;

  /** Hands everything over to the engine, with further operations behind it. */
  async function handOver(further: readonly Operation[] = []): Promise<void> {
    while (handing !== undefined) await handing.done.catch(() => undefined);
    const operations = waiting;
    // Later ones stand for earlier ones of the same key.
    const all = further.length === 0 ? operations : new Map(operations);
    for (const operation of further) all.set(operation.key, operation);
    const markNo = further.length === 0 ? no : no + 1;
    const done = database.batch([...all.values(), put(JOURNAL_KEY, [salt, markNo])]);
    no = markNo;
    handing = { operations, done };
    waiting = new Map();
    waitingBytes = 0;
    if (!direct) files.swap();
    try {
      await done;
      marked = true;
      direct = false;
    } catch (cause) {
      // Acknowledged before, so it stays: both files keep what they have.
      direct = true;
      for (const [key, operation] of waiting) operations.set(key, operation);
      waiting = operations;
      throw cause;
    } finally {
      handing = undefined;
    }
  }

  /** Everything that was acknowledged is in the engine afterwards. */
  async function caughtUp(): Promise<void> {
    while (handing !== undefined || waiting.size > 0) {
      if (handing === undefined) await handOver();
      else await handing.done.catch(() => undefined);
    }
  }

  const left = recordsAfter(mark, files.read());
  for (const { operations } of left) for (const operation of operations) waiting.set(operation.key, operation);
  no += left.length;
  if (left.length > 0) await handOver();

  return {
    ...database,
    gathered: () => new Promise((resolve) => setImmediate(resolve)),
    async batch(operations) {
      if (direct || !isJournaled(operations)) return handOver(operations);
      const record = encodeRecord(operations, no + 1, salt);
      files.append(record);
      no++;
      for (const operation of operations) waiting.set(operation.key, operation);
      waitingBytes += record.length;
      if (waiting.size < MOST_OPERATIONS && waitingBytes < MOST_BYTES) return;
      // The other file is free when what it held before has been handed over.
      if (handing === undefined) handOver().catch(() => undefined);
      else await handing.done.catch(() => undefined);
    },
    async isEmpty() {
      await caughtUp();
      return database.isEmpty();
    },
    async clear(range) {
      await caughtUp();
      await database.clear(range);
    },
    async *entries(range) {
      await caughtUp();
      yield* database.entries(range);
    },
    async settle() {
      await caughtUp();
      if (!marked) return;
      files.remove();
      await database.batch([del(JOURNAL_KEY)]);
    },
  };
}

async function markOf(database: TextDatabase): Promise<JournalMark | undefined> {
  for await (const entries of database.entries(JOURNAL_RANGE)) {
    for (const [, text] of entries) return markFrom(text);
  }
  return undefined;
}

/** Of a database with other data, which will be refused, the mark may be anything. */
function markFrom(text: string): JournalMark | undefined {
  try {
    return journalMarkFrom(text);
  } catch {
    return undefined;
  }
}

function isJournaled(operations: readonly Operation[]): boolean {
  let characters = 0;
  for (const operation of operations) {
    if (operation.type === "put") {
      if (operation.valueEncoding === "view") return false;
      characters += operation.value.length;
    }
    characters += operation.key.length;
  }
  return characters <= JOURNALED_CHARACTERS;
}

/** What the database lacks: the records from the next one on, without a gap. */
function recordsAfter({ salt, no }: JournalMark, contents: readonly Uint8Array[]) {
  const found = contents.flatMap((bytes) => [...decodeRecords(bytes, salt)]);
  const byNo = new Map(found.map((record) => [record.no, record]));
  const records = [];
  for (let next = byNo.get(no + 1); next !== undefined; next = byNo.get(next.no + 1)) records.push(next);
  return records;
}
