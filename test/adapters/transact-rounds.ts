import { leveldb } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { draftOf, idsOf, read } from "../contract/case.js";
import { transact } from "../contract/transacting.js";

// Child program of transaction-kill.test.ts: rounds of transactions on the folder given, each told when it is
// acknowledged, until it is killed.

/** Events of a round: enough that segments are written and taken apart. */
export const ROUND_EVENTS = 1_300;

/** The ids of the two buckets, of which there is always one. */
export const PLACES: readonly [string, string] = ["even", "odd"];

/** Renames the bucket, puts other events in the place of all, and counts: all or nothing. */
export async function takeRound(storage: Storage): Promise<number> {
  let round = 0;
  await transact(storage, PLACES, async (view) => {
    const held = await view.getRecord("rounds", "count");
    round = Number(held ?? 0) + 1;
    const [from, to] = round % 2 === 0 ? [PLACES[1], PLACES[0]] : PLACES;
    const { batches } = await view.read(from);
    const gone: number[] = [];
    for await (const batch of batches) gone.push(...idsOf(batch.events()));
    const drafts = Array.from({ length: ROUND_EVENTS }, (_, index) => draftOf(index * 10 + round, 1, round));
    return [
      { kind: "deleteEvents", bucketId: from, eventIds: gone },
      { kind: "rename", bucketId: from, newId: to },
      { kind: "putEvents", bucketId: to, drafts },
      { kind: "record", recordKind: "rounds", key: "count", expected: held, value: round },
    ];
  });
  return round;
}

/** The round that a storage shows; `undefined` for what no round has left. */
export async function roundOf(storage: Storage): Promise<number | undefined> {
  const round = Number((await storage.records("rounds").get("count")) ?? 0);
  const buckets = await storage.listBuckets();
  const [only] = buckets;
  if (only === undefined || buckets.length > 1 || only.id !== PLACES[round % 2]) return undefined;
  const events = await read(storage, only.id);
  const isWhole =
    events.length === (round === 0 ? 0 : ROUND_EVENTS) && events.every(({ data }) => data.label === round);
  return isWhole ? round : undefined;
}

const folder = process.argv[2];
if (folder !== undefined && process.env.TRANSACT_ROUNDS === "1") {
  const storage = leveldb({ path: folder });
  for (;;) process.stdout.write(`${await takeRound(storage)}\n`);
}
