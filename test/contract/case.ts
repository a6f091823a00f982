import type { EventBatch } from "../../src/domain/batch.js";
import type { Bucket } from "../../src/domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { EventRange, Storage } from "../../src/storage/storage.js";
import { alternating } from "./alternate.js";
import { holds, same } from "./check.js";
import type { PromiseName } from "./promises.js";
import { throughTexts } from "./through.js";
import { Watch } from "./watch.js";

const CALL_LIMIT_MILLIS = 30_000;

/** How the suite gets at the storage under test. */
export interface ContractOptions {
  /** Makes a new, empty storage, opened or not. Called once or more in each case; the case closes what it got. */
  create(): Storage | Promise<Storage>;
  /**
   * Closes the storage given and makes another one over the same data. Leave it out for an adapter that keeps nothing;
   * the cases that need it are then left out too. An adapter whose `traits.durability` is not `nothing` must bring it.
   */
  reopen?(storage: Storage): Storage | Promise<Storage>;
  /**
   * Makes another storage over the data of the one given, which stays open, as another process would. Every case is
   * then run once more with the two of them in turn. An adapter with `traits.multiProcess` must bring it.
   */
  second?(storage: Storage): Storage | Promise<Storage>;
  /** How long one call may take, in milliseconds; one that takes longer counts as hanging. @default 30_000 */
  readonly callLimitMillis?: number | undefined;
}

/** One case: a sentence, and a function that rejects with an `AssertionError` when a promise was broken. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** What a scenario works with. Whatever it opens is closed behind it. */
export interface Stage {
  /** The storage as it was made last. */
  readonly storage: Storage;
  /** Whether data outlives a reopening here. */
  readonly keeps: boolean;
  /** Whether the options say how a second process gets at the data. */
  readonly shares: boolean;
  /** The storages of two processes over the same data; twice the same where there is one. */
  readonly pair: readonly [Storage, Storage];
  /** A second storage that shares nothing with the first. */
  another(): Promise<Storage>;
  /** Closes the storage and opens its data again; only where `keeps`. */
  reopen(): Promise<Storage>;
  /** Runs a check now and, where `keeps`, again after a reopening. */
  alsoReopened(check: (storage: Storage) => Promise<void>): Promise<void>;
}

/** A case before it is bound to an adapter. */
export interface Scenario {
  readonly name: string;
  /**
   * `reopen`: for adapters that keep data; `snapshotReads`: for those with the trait; `versions`, `changes`, `transact`,
   * `eraseDeleted` and `usage`: for those with the method.
   */
  readonly needs?: "reopen" | "snapshotReads" | "versions" | "changes" | "transact" | "eraseDeleted" | "usage";
  /** The promise that is broken when a call of this case never ends; absent: that of the call. */
  readonly stuck?: PromiseName;
  play(stage: Stage): Promise<void>;
}

/** How a scenario sees the storage: as it is, its events by their JSON texts, or through two processes in turn. */
export type View = "plain" | "texts" | "two processes";

/** Binds a scenario to an adapter. */
export function bind(scenario: Scenario, options: ContractOptions, view: View = "plain"): ContractCase {
  const name = view === "plain" ? scenario.name : `${view}: ${scenario.name}`;
  return { name, run: () => run(scenario, options, view) };
}

async function run(scenario: Scenario, options: ContractOptions, view: View): Promise<void> {
  const { create, reopen, callLimitMillis = CALL_LIMIT_MILLIS } = options;
  const watch = new Watch(callLimitMillis, scenario.stuck);
  const open: Storage[] = [];
  let bare = await create();
  let second: Storage | undefined;
  let storage = await viewed();
  const keeps = reopen !== undefined && storage.traits.durability !== "nothing";

  async function viewed(): Promise<Storage> {
    if (view === "two processes" && options.second !== undefined && bare.traits.multiProcess) {
      second = await options.second(bare);
      return watch.over(alternating(bare, second));
    }
    return watch.over(view === "texts" ? throughTexts(bare) : bare);
  }

  const stage: Stage = {
    get storage() {
      return storage;
    },
    get pair(): Stage["pair"] {
      return second === undefined ? [storage, storage] : [watch.over(bare), watch.over(second)];
    },
    keeps,
    shares: options.second !== undefined,
    async another() {
      const other = watch.over(await create());
      open.push(other);
      return other;
    },
    async reopen() {
      if (reopen === undefined) throw new Error("this adapter cannot reopen");
      await second?.close();
      bare = await watch.call("reopen", async () => reopen(bare));
      storage = await viewed();
      return storage;
    },
    async alsoReopened(check) {
      await check(storage);
      if (keeps) await check(await stage.reopen());
    },
  };
  const isLeft = isLeftOut(scenario, view, storage, keeps);
  const outcomes = isLeft ? [] : [await settled(watch.during(() => scenario.play(stage)))];
  for (const each of [storage, ...open]) outcomes.push(await settled(watch.during(() => each.close())));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

function isLeftOut({ needs }: Scenario, view: View, storage: Storage, keeps: boolean): boolean {
  const { traits } = storage;
  if (view === "two processes" && !traits.multiProcess) return true;
  if (needs === "reopen") return !keeps;
  if (needs === "snapshotReads") return !traits.snapshotReads;
  return needs !== undefined && storage[needs] === undefined;
}

/** How some work ended. A failure is told only when everything is closed. */
async function settled(work: Promise<void>): Promise<PromiseSettledResult<void>> {
  const [outcome] = await Promise.allSettled([work]);
  return outcome;
}

/** A bucket with the given id; other fields may be set. */
export function bucketOf(id: string, fields: Partial<Bucket> = {}): Bucket {
  const plain = {
    type: "currentwindow",
    client: "contract",
    hostname: "host",
    name: null,
    created: 1_700_000_000_000_000,
  };
  return { id, ...plain, data: {}, ...fields };
}

/** The storage of a stage, with one bucket in it. */
export async function withBucket(stage: Stage, id = "window"): Promise<Storage> {
  await stage.storage.createBucket(bucketOf(id));
  return stage.storage;
}

/** The ids of events, in their order. */
export function idsOf(events: readonly StoredEvent[]): number[] {
  return events.map((event) => event.id);
}

/** A draft whose data hold a label. */
export function draftOf(timestamp: number, duration = 0, label: string | number = "a"): EventDraft {
  return { timestamp, duration, data: { label } };
}

/** Reads a range to its end. */
export async function read(storage: Storage, bucketId: string, range?: EventRange): Promise<StoredEvent[]> {
  return drain((await storage.read(bucketId, range)).batches);
}

/** The events of batches, none of which may be empty. */
export async function drain(batches: AsyncIterable<EventBatch>): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of batches) for (const event of eventsOf(batch)) events.push(event);
  return events;
}

/** The events of a batch, all of whose columns must be as long as it says. */
export function eventsOf(batch: EventBatch): StoredEvent[] {
  const { length, timestamps, durations, ids } = batch;
  holds("batches", length > 0, "a batch holds no event");
  same("batches", [timestamps.length, durations.length, ids?.length], [length, length, length], "lengths of columns");
  return batch.events();
}

/** Random numbers in [0, 1) that a seed repeats (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random integer from `low` to `high`, both included. */
export function intOf(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}
