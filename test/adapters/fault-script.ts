import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { JsonValue } from "../../src/domain/json.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, read } from "../contract/case.js";
import { same, sameBuckets, sameEvent, sameEvents, sameValue } from "../contract/check.js";
import type { Reference } from "../contract/reference.js";
import { applyTo, type PlainChange, transact } from "../contract/transacting.js";

/** One call of the script, and what it does to the reference. */
export interface Call {
  readonly what: string;
  make(storage: Storage): Promise<unknown>;
  /**
   * @param answer absent: the call was refused; ids are made up
   * @returns what it made of the events, if any: the answer that it would have got
   */
  apply(reference: Reference, answer?: unknown): unknown;
}

/** Calls that are made at once, and how many turns the background gets behind them. */
export interface Step {
  readonly calls: readonly Call[];
  readonly rest?: number;
}

function create(id: string): Call {
  const bucket = bucketOf(id);
  const apply = (reference: Reference): void => void reference.createBucket(bucket);
  return { what: `create ${id}`, make: (storage) => storage.createBucket(bucket), apply };
}

function update(id: string, client: string): Call {
  const apply = (reference: Reference): void => void reference.updateBucket(id, { client });
  return { what: `update ${id}`, make: (storage) => storage.updateBucket(id, { client }), apply };
}

function drop(id: string): Call {
  const apply = (reference: Reference): void => void reference.deleteBucket(id);
  return { what: `delete bucket ${id}`, make: (storage) => storage.deleteBucket(id), apply };
}

function put(id: string, drafts: readonly EventDraft[]): Call {
  return {
    what: `put ${drafts.length} into ${id}`,
    make: (storage) => storage.putEvents(id, drafts),
    apply(reference, answer) {
      let next = Math.max(reference.greatestId(id), ...drafts.map((draft) => draft.id ?? 0)) + 1;
      const ids = answer === undefined ? drafts.map((draft) => draft.id ?? next++) : idsOf(answer as StoredEvent[]);
      return reference.putEvents(id, drafts, ids);
    },
  };
}

function beat(id: string, timestamp: number, label: string): Call {
  const draft = draftOf(timestamp, 5, label);
  return {
    what: `heartbeat at ${timestamp} in ${id}`,
    make: (storage) => storage.heartbeat(id, draft, 10),
    apply(reference, answer) {
      const given = (answer as StoredEvent | undefined)?.id ?? reference.greatestId(id) + 1;
      const expected = reference.heartbeat(id, draft, 10, given);
      if (answer !== undefined) sameEvent("heartbeatResult", answer as StoredEvent, expected, this.what);
      return expected;
    },
  };
}

function remove(id: string, ids: readonly number[]): Call {
  return {
    what: `delete ${ids.length} events of ${id}`,
    make: (storage) => storage.deleteEvents(id, ids),
    apply(reference, answer) {
      const expected = reference.deleteEvents(id, ids);
      if (answer !== undefined) same("deleteEvents", answer as number, expected, this.what);
    },
  };
}

function set(key: string, value: JsonValue | undefined): Call {
  return {
    what: `set ${key}`,
    make: (storage) => (value === undefined ? storage.settings.delete(key) : storage.settings.put(key, value)),
    apply(reference) {
      if (value === undefined) reference.settings.delete(key);
      else reference.settings.set(key, value);
    },
  };
}

/** Several buckets and a record at once; drafts bring their ids, so that these are known whatever came before. */
function together(ids: readonly string[], changes: readonly PlainChange[]): Call {
  return {
    what: `transaction of ${ids.join(", ")}`,
    make: (storage) => transact(storage, ids, () => changes),
    apply: (reference) => applyTo(reference, changes),
  };
}

const device: Call = { what: "device id", make: (storage) => storage.deviceId(), apply: () => undefined };

function span(count: number, from: number, step: number, label: string): EventDraft[] {
  return Array.from({ length: count }, (_, index) => draftOf(from + index * step, 3, label));
}

function withIds(drafts: readonly EventDraft[], from: number): EventDraft[] {
  return drafts.map((draft, index) => ({ ...draft, id: from + index }));
}

function numbers(from: number, count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, index) => from + index * step);
}

/** What is there before the script: one bucket with events in segments (ids 1 to 2,200) and in the memtable. */
export const PRELUDE: readonly Call[] = [
  create("window"),
  put("window", span(2_200, 0, 100, "old")),
  put(
    "window",
    numbers(0, 200).map((index) => draftOf(index * 1_100 + 50, 3, "late")),
  ),
  put("window", span(150, 300_000, 100, "new")),
  put(
    "window",
    numbers(0, 200).map((index) => draftOf(index * 1_000 + 51, 3, "late")),
  ),
  create("old"),
  put("old", span(600, 0, 10, "old")),
  set("kept", "before"),
];

/** Every kind of write, alone and at once, with flushes, edits and deletions of events in segments. */
export const SCRIPT: readonly Step[] = [
  { calls: [create("afk")] },
  { calls: [device] },
  { calls: [put("afk", [draftOf(5), draftOf(9)])] },
  { calls: [beat("afk", 100, "run")] },
  { calls: [beat("afk", 110, "run")] },
  { calls: [beat("afk", 112, "other")] },
  { calls: [set("theme", { dark: true })] },
  { calls: [put("window", span(260, 400_000, 10, "run"))] },
  { calls: [beat("window", 500_000, "a"), beat("afk", 500_000, "a"), set("at once", 1), create("web")] },
  { calls: [put("window", span(3, 5_000, 7, "late")), beat("window", 500_010, "a"), update("window", "updated")] },
  // The memtable grows beyond its limit and is flushed in the background.
  {
    calls: [
      put(
        "window",
        numbers(0, 240).map((index) => draftOf(index * 900 + 52, 3, "late")),
      ),
    ],
    rest: 2,
  },
  {
    calls: [
      put(
        "window",
        numbers(0, 250).map((index) => draftOf(index * 800 + 53, 3, "late")),
      ),
    ],
    rest: 6,
  },
  { calls: [beat("window", 500_020, "a"), beat("window", 500_030, "b"), put("web", span(20, 0, 10, "web"))], rest: 4 },
  { calls: [remove("window", numbers(500, 5, 300))] },
  {
    calls: [
      put("window", [
        { ...draftOf(77_777, 9, "edited"), id: 1_000 },
        { ...draftOf(1, 9, "edited"), id: 2_000 },
      ]),
    ],
  },
  { calls: [remove("window", numbers(1, 1_050))], rest: 2 },
  { calls: [remove("window", [1_500]), beat("window", 500_040, "b"), create("window"), create("new")] },
  { calls: [drop("old")], rest: 1 },
  { calls: [create("old"), put("old", span(3, 0, 1, "again"))] },
  { calls: [beat("old", 100, "again"), beat("old", 103, "again")] },
  { calls: [put("old", [{ ...draftOf(50), id: 900_000 }, draftOf(51)]), set("theme", undefined)] },
  { calls: [remove("old", [900_000])] },
  { calls: [drop("old"), drop("web"), set("kept", "after"), beat("afk", 500_100, "end")], rest: 2 },
  { calls: [put("afk", span(1_300, 600_000, 10, "many at once")), beat("afk", 700_000, "end")], rest: 2 },
  {
    calls: [
      put(
        "afk",
        numbers(0, 30).map((index) => draftOf(600_005 + index * 400, 2, "between")),
      ),
    ],
  },
  { calls: [beat("afk", 700_010, "end"), beat("window", 700_000, "end"), device] },
  {
    calls: [
      together(
        ["new", "afk", "renamed"],
        [
          { kind: "rename", bucketId: "afk", newId: "renamed" },
          { kind: "create", bucket: bucketOf("afk"), drafts: withIds(span(700, 5, 30, "made"), 60_000) },
          { kind: "putEvents", bucketId: "renamed", drafts: withIds(span(600, 600_003, 20, "moved"), 70_000) },
          { kind: "delete", bucketId: "new" },
          { kind: "record", recordKind: "kind", key: "journal", expected: undefined, value: { made: 700 } },
        ],
      ),
      beat("window", 700_005, "end"),
      set("beside", 1),
    ],
    rest: 2,
  },
  {
    calls: [
      together(
        ["renamed", "afk"],
        [
          { kind: "delete", bucketId: "afk" },
          { kind: "rename", bucketId: "renamed", newId: "afk" },
          { kind: "deleteEvents", bucketId: "afk", eventIds: numbers(70_000, 300) },
          { kind: "update", bucketId: "afk", patch: { hostname: "elsewhere" } },
          { kind: "record", recordKind: "kind", key: "journal", expected: { made: 700 }, value: undefined },
        ],
      ),
    ],
  },
  ...numbers(0, 12).flatMap(mixedSteps),
];

/** One round of small writes: each is a point of its own. */
function mixedSteps(round: number): Step[] {
  const at = 800_000 + round * 1_000;
  return [
    { calls: [beat("window", at, "round"), put("afk", [draftOf(at, 2, "round"), draftOf(at - 90_000, 2, "late")])] },
    { calls: [put("window", [{ ...draftOf(at - 400_000, 3, "moved"), id: 1_200 + round * 9 }, draftOf(at + 50)])] },
    { calls: [remove("window", [1_100 + round, 2_100 + round]), set(`round ${round % 3}`, round)] },
  ];
}

/**
 * Demands that a storage holds what the reference holds, seen through every kind of read.
 *
 * @param ids whether they count: the reference does not know those of calls that were refused
 */
export async function expectSame(
  storage: Storage,
  reference: Reference,
  when: string,
  ids: "same ids" | "any ids" = "same ids",
): Promise<void> {
  sameBuckets("atomic", await storage.listBuckets(), reference.listBuckets(), when);
  for (const id of reference.bucketIds()) {
    const expected = reference.sorted(id);
    const found = await read(storage, id, { order: "oldest" });
    const seen =
      ids === "same ids" ? found : found.map((event, at) => ({ ...event, id: expected[at]?.id ?? event.id }));
    sameEvents("atomic", seen, expected, `${when}: events of ${id}`);
    same("atomic", await storage.countEvents(id), expected.length, `${when}: count of ${id}`);
    const range = { start: 4_000, end: 90_000 };
    same("atomic", await storage.countEvents(id, range), reference.countEvents(id, range), `${when}: range of ${id}`);
    for (let index = 0; index < found.length; index += 97) {
      const event = found[index] as StoredEvent;
      sameEvent("atomic", await storage.getEvent(id, event.id), event, `${when}: event of ${id}`);
    }
  }
  const records = await storage.records("kind").list();
  same("atomic", records.size, reference.records.size, `${when}: number of records`);
  for (const [key, value] of reference.records) sameValue("atomic", records.get(key), value, `${when}: ${key}`);
  const settings = await storage.settings.list();
  same("atomic", settings.size, reference.settings.size, `${when}: number of settings`);
  for (const [key, value] of reference.settings) sameValue("atomic", settings.get(key), value, `${when}: ${key}`);
}
