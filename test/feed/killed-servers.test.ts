// long: 600 s

// Feeds of real servers, cut at random places under heartbeats: one server over a folder that is killed and comes back,
// and two over one database, between which readers change. Each reader ends with exactly what is stored.
import { spawn } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isTransient } from "../../src/client/errors.js";
import { type ActivityClient, createClient, type Fetch, isActivityClientError } from "../../src/client/index.js";
import { createRandom } from "../../src/testing/random.js";
import { inWorkshop, type Launched, watch } from "../cli/launcher.js";
import { IS_LONG, seedOf, sizeOf } from "../faults/sizes.js";
import { BUCKET } from "../harness.js";
import { newDatabase } from "../postgres/database.js";
import { programOf } from "../program.js";
import { CutNetwork, eventsOf, type Reader, startReader } from "./cut-network.js";
import type { Readings } from "./follower.js";

const test = suite("feeds of killed servers");

const READERS = sizeOf("FEED_READERS", { short: 10, long: 10 });
const BEATS = sizeOf("FEED_BEATS", { short: 400, long: 400 });
const KILLS = sizeOf("FEED_KILLS", { short: 1, long: 1 });
/** Heartbeats a second. */
const RATE = 2000;
const BUCKETS = Array.from({ length: 40 }, (_, at) => `${at % 20}_${at}`);

const random = createRandom(`killed ${seedOf("FEED_SEED")}`);
const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** Looks rarely, and for long: there is much to compare. */
async function until(holds: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 300_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`${what}: this did not happen`);
    await pause(50);
  }
}

/** A server that comes back on the same port. */
class Node {
  readonly #place: string;
  #port = 0;
  #running: Pick<Launched, "ended" | "kill"> | undefined;
  #client: ActivityClient | undefined;

  constructor(place: string) {
    this.#place = place;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get client(): ActivityClient {
    this.#client ??= createClient({ url: this.url, retries: 0 });
    return this.#client;
  }

  async start(): Promise<void> {
    const { execArgv, file } = programOf(new URL("./serving.ts", import.meta.url));
    const child = spawn(process.execPath, [...execArgv, file, this.#place, String(this.#port)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const launched = watch(child, once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>);
    this.#port = Number(await launched.line((text) => /^\d+$/.test(text)));
    this.#running = { ...launched, kill: (signal) => child.kill(signal) };
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.kill("SIGKILL");
    await running?.ended;
  }
}

/** Repeats a call while servers are away. */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await pause(50);
    }
  }
}

/** Reads of many readers at the same time are made once: each gets one that started after it asked. */
function shared<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key) => {
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const made = pause(IS_LONG ? 300 : 0).then(() => {
      waiting.delete(key);
      return read(key);
    });
    waiting.set(key, made);
    return made;
  };
}

/** Sends heartbeats at a rate, each bucket in its order, and some other writes. @returns acknowledged ones, and a second */
async function write(pick: () => Node, count: number, first: number): Promise<{ sent: number; rate: number }> {
  const begin = performance.now();
  let sent = 0;
  const watchers = BUCKETS.map(async (bucketId) => {
    const each = count / BUCKETS.length;
    for (let at = 0; at < each; at++) {
      const wait = begin + (at * BUCKETS.length * 1000) / RATE - performance.now();
      if (wait > 1) await pause(wait);
      while (!pick().isRunning) await pause(20);
      const timestamp = new Date(1.7e12 + (first / BUCKETS.length + at) * 100);
      const data = { title: `ä ${Math.floor(at / 40)}` };
      // What a killed server did not acknowledge is lost; a watcher sends its next heartbeat all the same.
      const ok = await pick()
        .client.heartbeat(bucketId, { timestamp, data }, 5)
        .then(
          () => true,
          (error) => {
            if (!isActivityClientError(error)) throw error;
            return false;
          },
        );
      if (ok) sent++;
      if (at % 50 === 25) await change(bucketId).catch((error) => assert.ok(isTransient(error), String(error)));
    }
  });
  async function change(bucketId: string): Promise<void> {
    const { client } = pick();
    const [stored] = await client.events.insert(bucketId, [{ timestamp: new Date(1.6e12), data: { extra: true } }]);
    if (random.between(0, 1) === 1) await client.events.delete(bucketId, stored?.id ?? 0);
  }
  await Promise.all(watchers);
  return { sent, rate: (sent / (performance.now() - begin)) * 1000 };
}

interface Scene {
  readonly nodes: readonly Node[];
  readonly disturb: () => Promise<void>;
  /** Bytes after which a connection is cut, at most. */
  readonly longest: number;
  readonly mostResets: number;
}

async function play({ nodes, disturb, longest, mostResets }: Scene): Promise<void> {
  const pick = (): Node => {
    const running = nodes.filter(({ isRunning }) => isRunning);
    return running[random.between(0, running.length - 1)] ?? (nodes[0] as Node);
  };
  const whole: Fetch = (url, init) => fetch(url.replace("http://localhost", pick().url), init);
  const ending = new AbortController();
  const { signal } = ending;
  setMaxListeners(0, signal);
  try {
    await Promise.all(nodes.map((node) => node.start()));
    for (const id of BUCKETS) await pick().client.buckets.create(id, BUCKET);
    const events = shared((bucketId) => persist(() => eventsOf(pick().client, bucketId)));
    const list = shared(() => persist(() => pick().client.buckets.list()));
    const readingsOf = (isMeant: (id: string) => boolean): Readings => ({
      list: async () => Object.keys(await list("")).filter(isMeant),
      events,
    });
    const network = new CutNetwork(whole, random, longest);
    const readers: { readonly group: string; readonly reader: Reader }[] = Array.from({ length: READERS }, (_, at) => {
      const group = `${at % 20}_`;
      const readings = readingsOf((id) => id.startsWith(group));
      return { group, reader: startReader({ fetch: network.fetch, signal, readings, buckets: `${group}*` }) };
    });
    const undisturbed = startReader({ fetch: whole, signal, readings: readingsOf(() => true) });
    await until(() => readers.every(({ reader }) => reader.follower.resets > 0), "all readers to start");
    let sent = 0;
    for (let part = 0; part <= KILLS || network.cuts < READERS; part++) {
      const size = Math.floor(BEATS / (KILLS + 1));
      const writing = write(pick, size, part * size);
      if (part > 0 && part <= KILLS) await disturb();
      const written = await writing;
      sent += written.sent;
      console.log(`${written.sent} heartbeats, ${Math.round(written.rate)} a second`);
    }
    const stored = startReader({ fetch: whole, signal, readings: readingsOf(() => true) });
    await until(() => stored.follower.rereads >= BUCKETS.length, "the stored events");
    await until(() => undisturbed.follower.equals(stored.follower), "the undisturbed reader to have all events");
    for (const { group, reader } of readers) {
      const own = new Map([...stored.follower.buckets].filter(([id]) => id.startsWith(group)));
      await until(() => reader.follower.equals({ buckets: own }), "a reader to have all events");
    }
    const resets = readers.map(({ reader }) => reader.follower.resets);
    console.log(`${READERS} readers, ${network.cuts} cuts, ${Math.max(...resets)} resets of one`);
    assert.ok(Math.max(...resets) <= mostResets);
    assert.ok(sent > BEATS / 2, `${sent} heartbeats`);
    ending.abort();
    await Promise.all([undisturbed, stored, ...readers.map(({ reader }) => reader)].map(({ ended }) => ended));
  } finally {
    ending.abort();
    await Promise.all(nodes.map((node) => node.kill()));
  }
}

test("a server over a folder that is killed: a cut loses and repeats nothing, a kill makes readers read again", () =>
  inWorkshop(async (workshop) => {
    const node = new Node(workshop.path("data"));
    const disturb = async (): Promise<void> => {
      await pause(random.between(50, 500));
      await node.kill();
      await node.start();
    };
    await play({ nodes: [node], disturb, longest: IS_LONG ? 10_000 : 1000, mostResets: 1 + KILLS });
  }));

if (IS_LONG) {
  const url = await newDatabase();
  if (url === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
  else
    test("two servers over one database, of which one is killed, and readers that change between them", () => {
      const nodes = [new Node(url), new Node(url)] as const;
      const disturb = async (): Promise<void> => {
        const node = nodes[random.between(0, 1)] as Node;
        await node.kill();
        await pause(random.between(50, 1000));
        await node.start();
      };
      // Messages about the writes of other nodes are short.
      return play({ nodes, disturb, longest: 2000, mostResets: Number.POSITIVE_INFINITY });
    });
}

test.run();
