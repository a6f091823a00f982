// A bucket that is protected while a change of it is under way: once the protection was answered, nothing changes it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { atEachCall, Interposed } from "../care/interposed.js";
import { BUCKET } from "../trash/grounds.js";

const test = suite("buckets protected meanwhile");

const TIME = "2024-03-01T10:00:00Z";
const EVENTS = [TIME, "2024-03-01T11:00:00Z"].map((timestamp) => ({
  ...{ timestamp, duration: { seconds: 60 } },
  data: { app: "editor" },
}));

interface Ground {
  readonly id: string;
  readonly event: number;
  readonly other: ActivityServer;
}

type Request = readonly [method: string, path: string, body?: object];

const FILTER = { filter: ["app=editor"] };

/** Changes of the bucket, and what has to be done before. */
const CHANGES: Readonly<Record<string, (ground: Ground) => Request | Promise<Request>>> = {
  "a deletion by filter": ({ id }) => ["POST", `buckets/${id}/events/delete`, FILTER],
  "one past the trash": ({ id }) => ["POST", `buckets/${id}/events/delete`, { ...FILTER, permanent: true }],
  "one in several buckets": ({ id }) => ["POST", "events/delete", { ...FILTER, buckets: [id] }],
  "a deletion by ids": ({ id, event }) => ["POST", `buckets/${id}/events/delete`, { ids: [event] }],
  "a deletion of an event": ({ id, event }) => ["DELETE", `buckets/${id}/events/${event}`],
  "a permanent deletion by IDs": ({ id, event }) => [
    ...(["POST", `buckets/${id}/events/delete`] as const),
    { ids: [event], permanent: true },
  ],
  "a permanent deletion of an event": ({ id, event }) => ["DELETE", `buckets/${id}/events/${event}?permanent=true`],
  "a deletion of a bucket": ({ id }) => ["DELETE", `buckets/${id}?force=1`],
  "one for good": ({ id }) => ["DELETE", `buckets/${id}?force=1&permanent=true`],
  "a split": ({ id, event }) => ["POST", `buckets/${id}/events/${event}/split`, { at: "2024-03-01T10:00:30Z" }],
  "a move out of it": ({ id, event }) => ["POST", `buckets/${id}/events/${event}/move`, { bucket: "third" }],
  "a rename": ({ id }) => ["POST", `buckets/${id}/rename`, { to: `${id}-renamed` }],
  "a merge into another bucket": ({ id }) => ["POST", "buckets/third/merge", { from: [id] }],
  "a merge into it": async ({ id, other }) => {
    await other.buckets.create(`${id}-source`, BUCKET, EVENTS);
    return ["POST", `buckets/${id}/merge`, { from: [`${id}-source`] }];
  },
  "an undone merge": async ({ id, other }) => {
    await other.buckets.create(`${id}-source`, BUCKET, EVENTS);
    const { undo } = await other.identity.merge(id, { from: [`${id}-source`] });
    return ["POST", `undo/${undo}`];
  },
  "a permanent deletion of a trash entry": async ({ id, event, other }) => {
    const deleted = await other.events.delete(id, event);
    return ["DELETE", `trash/${deleted?.entry}`];
  },
  async "a move into it"({ id, other }) {
    const moved = await other.events.insert("third", EVENTS[0] as (typeof EVENTS)[number]);
    return ["POST", `buckets/third/events/${moved.id}/move`, { bucket: id }];
  },
  async "a restoration of events"({ id, event, other }) {
    const deleted = await other.events.delete(id, event);
    return ["POST", `trash/${deleted?.entry}/restore`, {}];
  },
};

async function stateOf(server: ActivityServer, bucketId: string): Promise<string> {
  const events = await server.events.read(bucketId).toArray();
  const entries = (await server.trash.list()).filter(({ buckets }) =>
    buckets.some((each) => each.bucketId === bucketId),
  );
  const shown = events.map(({ id, timestamp, duration }) => [id, timestamp, duration]);
  return JSON.stringify([shown, entries.map(({ id }) => id)]);
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`${name} changes nothing of a bucket that was made read-only`, async () => {
    const storage = memory();
    const interposed = new Interposed(storage);
    const [server, other] = [createActivityServer({ storage: interposed.storage }), createActivityServer({ storage })];
    await other.buckets.create("third", BUCKET);
    // What is in memory is known from here on.
    assert.is((await sendJson(server, "POST", "/api/0/buckets/third/events", [])).status, 200);
    let turn = 0;
    const statuses = new Set<number>();
    await atEachCall(interposed, async (meanwhile) => {
      const id = `bucket-${++turn}`;
      await other.buckets.create(id, BUCKET, EVENTS);
      const [first] = await other.events.read(id, { order: "oldest", limit: 1 }).toArray();
      const [method, path, body] = await change({ id, event: first?.id as number, other });
      let state: string | undefined;
      const { result } = await meanwhile(
        () => sendJson(server, method, `/api/0/${path}`, body),
        async () => {
          if ((await storage.getBucket(id)) === undefined) return;
          await other.buckets.setAccess(id, "read-only");
          state = await stateOf(other, id);
        },
      );
      statuses.add(result.status);
      if (state !== undefined) assert.is(await stateOf(other, id), state);
    });
    assert.equal([...statuses].sort(), [200, 403]);
    for (const each of [server, other]) await each.close();
  });
}

test.run();
