// long: 900 s

// Many readers whose connections are cut at random places, under continuous writes, with a crash of the server: each of
// them ends with exactly what is stored, as a reader does whose connection is not cut.
import { setMaxListeners } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createClient, type Fetch } from "../../src/client/index.js";
import { type ActivityServer, createActivityServer, micros, type Storage } from "../../src/index.js";
import { createRandom } from "../../src/testing/random.js";
import { seedOf, sizeOf } from "../faults/sizes.js";
import { BUCKET } from "../harness.js";
import { until } from "../http/client.js";
import { CutNetwork, eventsOf, type Reader, startReader } from "./cut-network.js";

const test = suite("cut feeds");

const SCENES = sizeOf("FEED_SCENES", { short: 1, long: 10 });
const READERS = sizeOf("FEED_READERS", { short: 10, long: 100 });
const ROUNDS = sizeOf("FEED_ROUNDS", { short: 40, long: 100 });
const BEATS = 20;
const OPEN = ["open_a", "open_b"];
const HIDDEN = ["hidden_a", "hidden_b"];
/** Bytes after which a connection is cut, at most. */
const LONGEST = 6000;

const random = createRandom(`feeds ${seedOf("FEED_SEED")}`);

/** Some writes to a bucket. */
async function write(server: ActivityServer, bucketId: string, round: number): Promise<void> {
  const beat = { timestamp: micros(new Date(1.7e12 + round * 1000)), data: { title: `ä ${Math.floor(round / 7)}` } };
  for (let count = 0; count < BEATS; count++) {
    await server.heartbeat(bucketId, { ...beat, timestamp: micros(beat.timestamp + count * 1000) }, "5s");
  }
  const stored = await server.events.insert(bucketId, { ...beat, duration: "1s", data: { round } });
  const ids = [random.between(1, stored.id ?? 1), random.between(1, stored.id ?? 1)];
  if (round % 3 === 0) await server.events.deleteMany(bucketId, ids);
  if (round % 5 === 0)
    await server.events.insert(bucketId, { ...beat, id: ids[0] as number, data: { replaced: round } });
  if (round % 25 === 24) {
    const { undo } = await server.identity.rename(bucketId, { to: `${bucketId}_new`, redirect: false });
    if (round % 2 === 0) await server.identity.undo(undo ?? "");
    else await server.identity.rename(`${bucketId}_new`, { to: bucketId, redirect: false });
  }
}

async function playScene(): Promise<void> {
  // The data survive the server.
  const storage: Storage = { ...memory(), close: async () => undefined };
  const start = () => createActivityServer({ storage, logger: false, feedReaders: READERS + 3 });
  const servers = [start()];
  const current = (): ActivityServer => servers.at(-1) as ActivityServer;
  const whole: Fetch = (url, init) => current().fetch(url, init);
  const network = new CutNetwork(whole, random, LONGEST);
  for (const id of [...OPEN, ...HIDDEN]) await current().buckets.create(id, BUCKET);
  const { key } = await current().keys.add({ name: "reader", scopes: ["read:open_*"] });
  const ending = new AbortController();
  const { signal } = ending;
  setMaxListeners(0, signal);
  const reader = (fetch: Fetch, apiKey?: string): Reader => {
    const client = createClient({ url: "http://localhost", fetch: whole, apiKey });
    const readings = {
      list: async () => Object.keys(await client.buckets.list()),
      events: (bucketId: string) => eventsOf(client, bucketId),
    };
    return startReader({ fetch, signal, readings, apiKey });
  };
  try {
    const undisturbed = reader(whole);
    const restricted = reader(network.fetch, key);
    const readers = Array.from({ length: READERS }, () => reader(network.fetch));
    const everyone = [undisturbed, restricted, ...readers];
    await until(() => everyone.every(({ follower }) => follower.resets > 0), "all readers to start");
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all([...OPEN, ...HIDDEN].map((id) => write(current(), id, round)));
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (round === Math.floor(ROUNDS / 2)) {
        servers.push(start());
        network.cutAll();
        // Its readers would otherwise go on with a server that no one writes to.
        await servers[0]?.close();
      }
    }
    const stored = reader(whole);
    await until(() => stored.follower.resets > 0 && stored.follower.rereads >= 4, "the stored events");
    await until(
      () => readers.every(({ follower }) => follower.equals(stored.follower)),
      "all readers to have all events",
    );
    await until(() => undisturbed.follower.equals(stored.follower), "the undisturbed reader to have all events");
    const open = { buckets: new Map([...stored.follower.buckets].filter(([id]) => OPEN.includes(id))) };
    await until(() => restricted.follower.equals(open), "the restricted reader to have its events");
    assert.equal(
      [...restricted.seen].filter((id) => id.startsWith("hidden")),
      [],
    );
    assert.ok(network.cuts > READERS, `${network.cuts} cuts`);
    // After the crash only: a cut needs no reading again.
    assert.equal([...new Set(readers.map(({ follower }) => follower.resets))], [2]);
    ending.abort();
    await Promise.all([...everyone, stored].map(({ ended }) => ended));
  } finally {
    ending.abort();
    await Promise.all(servers.map((server) => server.close()));
  }
}

test("each reader ends with what is stored, and none sees more than it may", async () => {
  for (let scene = 0; scene < SCENES; scene++) await playScene();
});

test.run();
