import { serializeTimestamp } from "../../src/domain/time.js";
import { type Found, SoakFault, shown } from "./event.js";
import type { Ledger } from "./ledger.js";
import type { World } from "./world.js";

/** What a check has seen. */
export interface Verified {
  readonly buckets: number;
  readonly events: number;
}

interface WireBucket {
  readonly type: unknown;
  readonly client: unknown;
  readonly hostname: unknown;
  readonly metadata: { readonly start: unknown; readonly end: unknown };
}

type Exported = Readonly<Record<string, { readonly events: unknown }>>;

/**
 * Compares everything that a server holds with what it must hold: the list of buckets, their counts and extremes, all
 * events, the export. Nobody may write meanwhile.
 *
 * @throws SoakFault for the first difference
 */
export async function verify(world: World): Promise<Verified> {
  const listed = (await world.client.json("buckets/")) as Readonly<Record<string, WireBucket>>;
  const stranger = Object.keys(listed).find((bucketId) => !world.ledgers.has(bucketId));
  if (stranger !== undefined) throw new SoakFault(`bucket ${stranger} is there, but nobody made it`);
  const { buckets: exported } = (await world.client.json("export")) as { readonly buckets: Exported };
  let events = 0;
  for (const ledger of world.ledgers.values()) {
    const bucket = listed[ledger.bucketId];
    if (bucket === undefined) ledger.resolve(undefined);
    else events += await verifyBucket(world, ledger, bucket);
    compareExport(ledger, exported[ledger.bucketId]?.events);
  }
  return { buckets: Object.keys(listed).length, events };
}

/** @returns the number of events */
async function verifyBucket(world: World, ledger: Ledger, bucket: WireBucket): Promise<number> {
  const path = `buckets/${ledger.bucketId}/events`;
  const found = ledger.parse(await world.client.json(`${path}?limit=-1`), "all events");
  ledger.resolve(found);
  const ids = new Set(found.map(({ id }) => id));
  if (ids.size < found.length) throw new SoakFault(`bucket ${ledger.bucketId}: an id is there twice`);
  for (const { id = 0 } of found) world.highestId = Math.max(world.highestId, id);
  const count = await world.client.json(`${path}/count`);
  if (count !== found.length) {
    throw new SoakFault(`bucket ${ledger.bucketId} counts ${shown(count)} events, expected ${found.length}`);
  }
  const { type, client, hostname, metadata } = bucket;
  if (type !== "currentwindow" || client !== "soak" || hostname !== "soak") {
    throw new SoakFault(`bucket ${ledger.bucketId} has a damaged record: ${shown(bucket)}`);
  }
  const [start, end] = extremes(ledger);
  if (metadata.start === start && metadata.end === end) return found.length;
  throw new SoakFault(`bucket ${ledger.bucketId} has the extremes ${shown(metadata)}, expected ${start} and ${end}`);
}

function extremes(ledger: Ledger): [start: string | null, end: string | null] {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { timestamp, duration } of ledger.entries()) {
    start = Math.min(start, timestamp);
    end = Math.max(end, timestamp + duration);
  }
  return ledger.size === 0 ? [null, null] : [serializeTimestamp(start), serializeTimestamp(end)];
}

/** An export holds the same events as the reads, without their ids. */
function compareExport(ledger: Ledger, events: unknown): void {
  if (!ledger.exists && events === undefined) return;
  const found: Found[] = ledger.parse(events, "export of all");
  const withId = found.find(({ id }) => id !== undefined);
  if (withId !== undefined) throw new SoakFault(`bucket ${ledger.bucketId}: the export has ids: ${shown(withId)}`);
  ledger.compare(found);
}
