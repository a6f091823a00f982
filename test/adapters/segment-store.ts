import * as assert from "uvu/assert";
import type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore } from "../../adapters/segments/store.js";

/** Where the stores of one case lie. */
export interface StoreGround {
  /** A store over the data of this ground, not opened. The one before it was closed, or its process has died. */
  store(): SegmentStore;
}

/** One case of the suite: a sentence, and a function that rejects when a store breaks its promise. */
export interface StoreCase {
  readonly name: string;
  run(): Promise<void>;
}

/** What a store holds, as plain values. */
export interface Content {
  root: string | undefined;
  records: Map<string, string>;
  /** Texts and bytes by `bucketNo/segmentNo`. */
  entries: Map<string, string>;
  segments: Map<string, string>;
  log: string;
}

/** What a new store holds. */
export function emptyContent(): Content {
  return { root: undefined, records: new Map(), entries: new Map(), segments: new Map(), log: "" };
}

/** A copy that can be changed. */
export function copyOf({ root, records, entries, segments, log }: Content): Content {
  return { root, records: new Map(records), entries: new Map(entries), segments: new Map(segments), log };
}

/** What changes with a commit. Names are `bucketNo/segmentNo`. */
export interface Change {
  readonly root?: string;
  readonly records?: Readonly<Record<string, string | undefined>>;
  readonly put?: Readonly<Record<string, string>>;
  readonly deleteEntries?: readonly string[];
  readonly drop?: readonly string[];
}

/** Makes a commit of a change to a content. @returns the commit, and the content behind it */
export function commitOf(number: number, before: Content, change: Change): { commit: Commit; after: Content } {
  const after = copyOf(before);
  const { put = {}, records = {}, deleteEntries = [], drop = [] } = change;
  after.root = change.root ?? `root ${number}`;
  for (const [key, value] of Object.entries(records)) {
    if (value === undefined) after.records.delete(key);
    else after.records.set(key, value);
  }
  for (const name of deleteEntries) after.entries.delete(name);
  for (const name of drop) after.segments.delete(name);
  for (const [name, content] of Object.entries(put)) {
    after.entries.set(name, `entry of ${name}`);
    after.segments.set(name, content);
  }
  const entries = new Map(after.entries);
  const commit: Commit = {
    number,
    root: after.root,
    records: new Map(Object.entries(records)),
    putSegments: Object.entries(put).map(([name, content]) => ({
      ...nameOf(name),
      text: `entry of ${name}`,
      bytes: bytesOf(content),
    })),
    deleteEntries: deleteEntries.map(nameOf),
    dropSegments: drop.map(nameOf),
    *entriesOf(bucketNo) {
      for (const [name, text] of entries) {
        const segment = nameOf(name);
        if (segment.bucketNo === bucketNo) yield { ...segment, text };
      }
    },
  };
  return { commit, after };
}

export function nameOf(name: string): SegmentName {
  const [bucketNo = 0, segmentNo = 0] = name.split("/").map(Number);
  return { bucketNo, segmentNo };
}

/** All byte values occur, and all remainders of a division by three. */
function bytesOf(content: string): Uint8Array {
  const text = new TextEncoder().encode(content);
  const bytes = new Uint8Array(text.length + 256);
  bytes.set(text);
  for (let value = 0; value < 256; value++) bytes[text.length + value] = value;
  return bytes;
}

/** Reads everything that a store opened with. */
export async function contentOf(store: SegmentStore, opened: OpenedStore, names: Iterable<string>): Promise<Content> {
  const content = emptyContent();
  content.root = opened.root;
  for await (const [key, value] of opened.records) content.records.set(key, value);
  for await (const { bucketNo, segmentNo, text } of opened.entries)
    content.entries.set(`${bucketNo}/${segmentNo}`, text);
  for (const name of names) {
    const bytes = await store.readSegment(nameOf(name));
    if (bytes === undefined) continue;
    const text = new TextDecoder().decode(bytes.subarray(0, bytes.length - 256));
    assert.equal(bytes, bytesOf(text), `the bytes of segment ${name}`);
    content.segments.set(name, text);
  }
  content.log = (await batchesIn(opened)).map(({ text }) => text).join("\n");
  return content;
}

export async function batchesIn({ log }: OpenedStore): Promise<LogBatch[]> {
  const batches: LogBatch[] = [];
  for await (const batch of log) batches.push(batch);
  return batches;
}

const TEXTS: readonly string[] = [
  "{}",
  '{"a":1}\n{"b":"\u00e4\u{1f600}"}',
  "",
  JSON.stringify({ lone: "\ud800", nul: "\0" }),
  `{"long":"${"\u{1f600}x".repeat(200_000)}"}`,
  ...Array.from({ length: 300 }, (_, index) => `{"beat":${index},"data":{"app":"editor"}}`),
  `{"long":"${"y".repeat(600_000)}"}`,
  "[1]",
];

const NAMES = ["1/1", "1/2", "1/3", "2/1", "2/2"];

/** The cases that each store has to pass, whatever it is made of. */
export function segmentStoreSuite(newGround: () => Promise<StoreGround>): StoreCase[] {
  const cases: StoreCase[] = [];
  function add(name: string, body: (ground: StoreGround) => Promise<void>): void {
    cases.push({ name, run: async () => body(await newGround()) });
  }

  async function expectContent(ground: StoreGround, expected: Content, when: string): Promise<void> {
    const store = ground.store();
    const opened = await store.open();
    assert.equal(await contentOf(store, opened, NAMES), expected, when);
    assert.equal(opened.problems(), [], when);
    await store.close();
  }

  add("a new store is empty", (ground) => expectContent(ground, emptyContent(), "at first"));

  add("a new store that was opened and closed is still empty", async (ground) => {
    await expectContent(ground, emptyContent(), "at first");
    await expectContent(ground, emptyContent(), "at second");
  });

  for (const isClosed of [true, false]) {
    add(`batches come back in order, ${isClosed ? "after a close" : "after a crash"}`, async (ground) => {
      const store = ground.store();
      await store.open();
      const batches = TEXTS.map((text, index) => ({ sequence: index + 7, text }));
      const [snapshot = { sequence: 0, text: "" }, ...others] = batches;
      await store.beginLog(snapshot);
      for (const batch of others) await store.append(batch);
      if (isClosed) await store.close();
      for (let round = 0; round < 2; round++) {
        const again = ground.store();
        assert.equal(await batchesIn(await again.open()), batches, `opening ${round}`);
        await again.close();
      }
    });
  }

  add("a new log takes the place of the one before, also after an opening", async (ground) => {
    let sequence = 1;
    for (const long of ["", "z".repeat(300_000)]) {
      const store = ground.store();
      await store.open();
      for (const text of ["a", "b"]) {
        await store.beginLog({ sequence: sequence++, text: text + long });
        await store.append({ sequence: sequence++, text: `${text} appended` });
      }
      await store.close();
      await expectContent(ground, { ...emptyContent(), log: `b${long}\nb appended` }, "reopened");
    }
  });

  add("the length of the log is told", async (ground) => {
    const store = ground.store();
    await store.open();
    await store.beginLog({ sequence: 1, text: "s" });
    for (let sequence = 2; sequence < 52; sequence++) await store.append({ sequence, text: "x".repeat(1_000) });
    assert.ok(store.logBytes >= 50_000 && store.logBytes < 60_000, String(store.logBytes));
    await store.beginLog({ sequence: 52, text: "s" });
    assert.ok(store.logBytes < 1_000, String(store.logBytes));
    await store.close();
  });

  add("a commit keeps root, records, segments and entries, and leaves the log alone", async (ground) => {
    const store = ground.store();
    await store.open();
    await store.beginLog({ sequence: 1, text: "log" });
    const first = commitOf(
      1,
      { ...emptyContent(), log: "log" },
      {
        records: { a: "1", b: '{"x":"\\ud800"}\n', __proto__x: "" },
        put: { "1/1": "one", "1/2": "two!", "2/1": "three" },
      },
    );
    await store.commit(first.commit);
    assert.is((await store.readSegment(nameOf("1/2")))?.length, 4 + 256);
    await store.close();
    await expectContent(ground, first.after, "first commit");
    const again = ground.store();
    await again.open();
    const second = commitOf(2, first.after, {
      records: { a: undefined, c: "3" },
      put: { "1/3": "four" },
      deleteEntries: ["1/1", "2/1"],
      drop: ["1/1", "2/1"],
    });
    await again.commit(second.commit);
    assert.is(await again.readSegment(nameOf("1/1")), undefined);
    await again.close();
    await expectContent(ground, second.after, "second commit");
  });

  add("the bytes of a segment without an entry stay until they are dropped", async (ground) => {
    const store = ground.store();
    await store.open();
    const first = commitOf(1, emptyContent(), { put: { "1/1": "one", "1/2": "two" } });
    await store.commit(first.commit);
    const second = commitOf(2, first.after, { deleteEntries: ["1/1", "1/2"] });
    await store.commit(second.commit);
    for (const name of ["1/1", "1/2"]) assert.ok(await store.readSegment(nameOf(name)), name);
    await store.commit(commitOf(3, second.after, { drop: ["1/1", "1/2"] }).commit);
    for (const name of ["1/1", "1/2"]) assert.is(await store.readSegment(nameOf(name)), undefined, name);
    await store.close();
    await expectContent(ground, { ...emptyContent(), root: "root 3" }, "reopened");
  });

  add("all segments are listed", async (ground) => {
    const store = ground.store();
    await store.open();
    await store.commit(commitOf(1, emptyContent(), { put: { "1/1": "a", "2/1": "b", "2/2": "c" } }).commit);
    const listed: string[] = [];
    for await (const { bucketNo, segmentNo } of store.segments()) listed.push(`${bucketNo}/${segmentNo}`);
    assert.equal(listed.sort(), ["1/1", "2/1", "2/2"]);
    await store.close();
  });

  add("a commit and an append may overlap", async (ground) => {
    const store = ground.store();
    await store.open();
    await store.beginLog({ sequence: 1, text: "0" });
    let content: Content = { ...emptyContent(), log: "0" };
    for (let round = 1; round <= 20; round++) {
      const put = { [`1/${round}`]: String(round) };
      const { commit, after } = commitOf(round, content, {
        put,
        drop: [`1/${round - 3}`],
        deleteEntries: [`1/${round - 2}`],
      });
      await Promise.all([store.commit(commit), store.append({ sequence: round + 1, text: String(round) })]);
      content = { ...after, log: `${content.log}\n${round}` };
      // A store may forget bytes without entries when it is opened anew.
    }
    for (const name of content.segments.keys()) if (!content.entries.has(name)) content.segments.delete(name);
    await store.close();
    const again = ground.store();
    const opened = await again.open();
    assert.equal(await contentOf(again, opened, content.entries.keys()), content);
    await again.close();
  });

  add("a recovery without a failure tells the number of the last commit", async (ground) => {
    const store = ground.store();
    await store.open();
    await store.commit(commitOf(1, emptyContent(), {}).commit);
    assert.is(await store.recover(), 1);
    await store.close();
  });

  add("closing twice does no harm", async (ground) => {
    const store = ground.store();
    await store.open();
    await Promise.all([store.close(), store.close()]);
    await store.close();
  });

  return cases;
}
