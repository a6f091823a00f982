import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { noSuchBucket } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import type { QueuedHeartbeat, StorageContext } from "./context.js";
import { encodeDrafts, hashOf, toBigint } from "./encoding.js";
import type { Writer } from "./writer.js";

/** The methods that write events. */
export function eventMethods({
  database,
  writer,
  queue,
}: StorageContext): Pick<Storage, "putEvents" | "mergeEvents" | "deleteEvents" | "heartbeat"> {
  /** Writes to a bucket, after earlier writes. */
  async function write(bucketId: string, name: string, args: () => readonly unknown[]): Promise<unknown> {
    database.assertOpen();
    const given = [hashOf(bucketId), ...args()];
    const answer = await queue.run(queueKeyOf(bucketId), () => writer.write(name, given));
    if (answer === null) throw noSuchBucket(bucketId);
    return answer;
  }

  return {
    async putEvents(bucketId, drafts) {
      return assignIds(drafts, await write(bucketId, "put_events", () => Object.values(encodeDrafts(drafts))));
    },

    async mergeEvents(bucketId, drafts) {
      const { ids: _, ...columns } = encodeDrafts(drafts);
      return Number(await write(bucketId, "merge_events", () => Object.values(columns)));
    },

    async deleteEvents(bucketId, eventIds) {
      return Number(await write(bucketId, "delete_events", () => [eventIds.map(String)]));
    },

    async heartbeat(bucketId, draft, pulsetimeMicros) {
      database.assertOpen();
      const event = await queue.addHeartbeat(queueKeyOf(bucketId), { bucketId, draft, pulsetimeMicros });
      if (event === null) throw noSuchBucket(bucketId);
      return event;
    },
  };
}

/** The queue key of a bucket. */
export function queueKeyOf(bucketId: string): string {
  return `bucket ${bucketId}`;
}

/** Drafts with the IDs from the database. */
export function assignIds(drafts: readonly EventDraft[], ids: unknown): StoredEvent[] {
  const given = ids as readonly number[];
  return drafts.map(({ timestamp, duration, data }, index) => ({
    id: given[index] as number,
    timestamp,
    duration,
    data,
  }));
}

/** The result of `put_heartbeats` for one heartbeat. */
type HeartbeatResult = readonly [id: number, start: number, duration: number, text: string | null] | null;

/** Sends heartbeats in one statement. */
export async function sendHeartbeats(
  writer: Writer,
  beats: readonly QueuedHeartbeat[],
): Promise<(StoredEvent | null)[]> {
  const { ids: _, starts, durations, ...data } = encodeDrafts(beats.map(({ draft }) => draft));
  const hashes = beats.map(({ bucketId }) => hashOf(bucketId));
  const pulsetimes = beats.map(({ pulsetimeMicros }) => toBigint(pulsetimeMicros));
  const args = [hashes, starts, durations, pulsetimes, ...Object.values(data)];
  const answers = (await writer.write("put_heartbeats", args)) as readonly HeartbeatResult[];
  return beats.map(({ draft }, index) => {
    const answer = answers[index];
    if (answer === null || answer === undefined) return null;
    const [id, timestamp, duration, text] = answer;
    return { id, timestamp, duration, data: text === null ? draft.data : (JSON.parse(text) as JsonObject) };
  });
}
