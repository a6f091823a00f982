import type { Bucket } from "../../src/domain/bucket.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { EventRange, Storage } from "../../src/storage.js";
import { holds } from "./check.js";
import type { PromiseName } from "./promises.js";
import { type OtherWay, through } from "./through.js";
import { Watch } from "./watch.js";

const CALL_LIMIT_MILLIS = 30_000;

/** How the suite gets at the storage under test. */
export interface ContractOptions {
  /** Opens a new, empty storage. Called once or twice in each case; the case closes what it got. */
  create(): Promise<Storage>;
  /**
   * Closes the storage given and opens the same data again. Leave it out for an adapter that keeps nothing; the cases
   * that need it are then left out too. An adapter whose `traits.durability` is not `nothing` must bring it.
   */
  reopen?(storage: Storage): Promise<Storage>;
  /** How long one call may take, in milliseconds; one that takes longer counts as hanging. @default 30_000 */
  readonly callLimitMillis?: number;
}

/** One case: a sentence, and a function that rejects with an `AssertionError` when a promise was broken. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** What a scenario works with. Whatever it opens is closed behind it. */
export interface Stage {
  /** The storage as it was opened last. */
  readonly storage: Storage;
  /** Whether data outlives a reopening here. */
  readonly keeps: boolean;
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
  /** `reopen`: for adapters that keep data; `snapshotReads`: for those with the trait. */
  readonly needs?: "reopen" | "snapshotReads";
  /** The promise that is broken when a call of this case never ends; absent: that of the call. */
  readonly stuck?: PromiseName;
  play(stage: Stage): Promise<void>;
}

/** Binds a scenario to an adapter. Traits are known only once a storage is open, so they are asked in the run. */
export function bind(scenario: Scenario, options: ContractOptions): ContractCase {
  return { name: scenario.name, run: () => run(scenario, options) };
}

/** The same with all reading done in another way; nothing to do for an adapter without it. */
export function bindThrough(way: OtherWay, scenario: Scenario, given: ContractOptions): ContractCase {
  const { create, reopen } = given;
  const inner = new Map<Storage, Storage>();
  function viewed(storage: Storage): Storage {
    const view = through(way, storage) ?? storage;
    inner.set(view, storage);
    return view;
  }
  const options: ContractOptions = {
    ...given,
    create: async () => viewed(await create()),
    ...(reopen && { reopen: async (view) => viewed(await reopen(inner.get(view) ?? view)) }),
  };
  return {
    name: `${way}: ${scenario.name}`,
    run: () => run({ ...scenario, play: async (stage) => stage.storage[way] && scenario.play(stage) }, options),
  };
}

async function run(scenario: Scenario, options: ContractOptions): Promise<void> {
  const { create, reopen, callLimitMillis = CALL_LIMIT_MILLIS } = options;
  const watch = new Watch(callLimitMillis, scenario.stuck);
  const open: Storage[] = [];
  let bare = await create();
  let storage = watch.over(bare);
  const keeps = reopen !== undefined && storage.traits.durability !== "nothing";
  const stage: Stage = {
    get storage() {
      return storage;
    },
    keeps,
    async another() {
      const other = watch.over(await create());
      open.push(other);
      return other;
    },
    async reopen() {
      if (reopen === undefined) throw new Error("this adapter cannot reopen");
      bare = await watch.call("reopen", () => reopen(bare));
      storage = watch.over(bare);
      return storage;
    },
    async alsoReopened(check) {
      await check(storage);
      if (keeps) await check(await stage.reopen());
    },
  };
  const left = (scenario.needs === "reopen" && !keeps) || (scenario.needs === "snapshotReads" && !snapshots(storage));
  const outcomes = left ? [] : [await settled(watch.during(() => scenario.play(stage)))];
  for (const each of [storage, ...open]) outcomes.push(await settled(watch.during(() => each.close())));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

function snapshots({ traits }: Storage): boolean {
  return traits.snapshotReads;
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

/** Reads a range to its end; no chunk may be empty. */
export async function read(storage: Storage, bucketId: string, range?: EventRange): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const chunk of storage.readEvents(bucketId, range)) {
    holds("readEvents", chunk.length > 0, "a chunk holds no event");
    for (const event of chunk) events.push(event);
  }
  return events;
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
