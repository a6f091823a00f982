// long: 600 s

// A thousand feeds of real servers, cut at random places under heartbeats: one server over a folder that is killed and
// comes back, and two over one database, between which readers change. Each reader ends with exactly what is stored.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Connection } from "../../bench/client/connection.js";
import { post } from "../../bench/client/request.js";
import { isTransient } from "../../src/client/errors.js";
import { type ActivityClient, createClient } from "../../src/client/index.js";
import { createRandom } from "../../src/testing/random.js";
import { inWorkshop, type Launched, watch } from "../cli/launcher.js";
import { IS_LONG, seedOf, sizeOf } from "../faults/sizes.js";
import { BUCKET, inTime } from "../harness.js";
import { newDatabase } from "../postgres/database.js";
import { programOf } from "../program.js";
import type { State, Task } from "./cut-readers.js";

const test = suite("feeds of killed servers");

const READERS = sizeOf("FEED_READERS", { short: 10, long: 1000 });
const BEATS = sizeOf("FEED_BEATS", { short: 400, long: 40_000 });
const KILLS = sizeOf("FEED_KILLS", { short: 1, long: 2 });
/** Heartbeats a second. */
const RATE = sizeOf("FEED_RATE", { short: 2000, long: 2000 });
const GROUPS = Array.from({ length: 20 }, (_, at) => `${at}_`);
const BUCKETS = GROUPS.flatMap((group) => [`${group}a`, `${group}b`]);

const seed = `killed ${seedOf("FEED_SEED")}`;
const random = createRandom(seed);
const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** A server that comes back on the same port. */
class Node {
  readonly #place: string;
  /** Below those of outgoing connections, one of which could get it while the server is away. */
  #port = 10_000 + Math.floor(Math.random() * 20_000);
  #running: Pick<Launched, "ended" | "kill"> | undefined;
  #client: ActivityClient | undefined;
  #isKnown = false;
  /** By bucket. */
  readonly #connections: Map<string, Connection> = new Map();

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
    try {
      await launched.line((text) => /^\d+$/.test(text));
    } catch (error) {
      // Another program has the port.
      if (this.#isKnown || !String(error).includes("EADDRINUSE")) throw error;
      this.#port++;
      return this.start();
    }
    this.#isKnown = true;
    this.#running = { ...launched, kill: (signal) => child.kill(signal) };
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.kill("SIGKILL");
    await running?.ended;
    this.#connections.clear();
  }

  /** @returns whether the server acknowledged it, `false` if it was killed */
  async heartbeat(bucketId: string, beat: object): Promise<boolean> {
    const path = `/api/0/buckets/${bucketId}/heartbeat?pulsetime=5`;
    try {
      const connection = this.#connections.get(bucketId) ?? (await Connection.open(this.#port));
      this.#connections.set(bucketId, connection);
      await connection.exchange(post(this.#port, path, JSON.stringify(beat)));
      return true;
    } catch (error) {
      assert.not.match(String(error), /answered (?!503)/);
      this.#connections.delete(bucketId);
      return false;
    }
  }
}

/** The readers, in a process of their own. */
class Readers {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  state: State | undefined;

  constructor(task: Task) {
    const { execArgv, file } = programOf(new URL("./cut-readers.ts", import.meta.url));
    // Otherwise a fifth of its time goes to short-lived objects.
    const more = [...execArgv, "--max-semi-space-size=64"];
    this.#child = fork(file, [JSON.stringify(task)], { execArgv: more });
    this.#child.on("message", (state: State) => {
      this.state = state;
    });
    this.#ended = once(this.#child, "close");
  }

  async until(holds: (state: State) => boolean): Promise<void> {
    while (this.state === undefined || !holds(this.state)) {
      if (this.#child.exitCode !== null) throw new Error("the readers failed");
      await pause(50);
    }
  }

  /** Resolves when all readers have exactly the stored events. */
  async compare(): Promise<State> {
    this.#child.send("compare");
    await this.#ended;
    return this.state as State;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

/** Acknowledged heartbeats, the seconds that they took, and those of them without any server. */
interface Written {
  readonly sent: number;
  readonly seconds: number;
  readonly away: number;
}

/** Sends heartbeats at `RATE`, each bucket in its order, and some other writes. */
async function write(pick: () => Node, count: number, first: number): Promise<Written> {
  const begin = performance.now();
  let sent = 0;
  let away = 0;
  const watchers = BUCKETS.map(async (bucketId) => {
    const each = count / BUCKETS.length;
    for (let at = 0; at < each; at++) {
      const wait = begin + (at * BUCKETS.length * 1000) / RATE - performance.now();
      if (wait > 1) await pause(wait);
      const since = performance.now();
      while (!pick().isRunning) await pause(20);
      away = Math.max(away, performance.now() - since);
      const timestamp = new Date(1.7e12 + (first / BUCKETS.length + at) * 100);
      const data = { title: `ä ${Math.floor(at / 40)}` };
      // What a killed server did not acknowledge is lost; a watcher sends its next heartbeat all the same.
      if (await pick().heartbeat(bucketId, { timestamp, duration: 0, data })) sent++;
      if (at % 50 === 25) await change(bucketId).catch((error) => assert.ok(isTransient(error), String(error)));
    }
  });
  async function change(bucketId: string): Promise<void> {
    const { client } = pick();
    const [stored] = await client.events.insert(bucketId, [{ timestamp: new Date(1.6e12), data: { extra: true } }]);
    if (random.chance(0.5)) await client.events.delete(bucketId, stored?.id ?? 0);
  }
  await Promise.all(watchers);
  return { sent, seconds: (performance.now() - begin) / 1000, away: away / 1000 };
}

interface Scene {
  readonly readers: number;
  readonly beats: number;
  readonly nodes: readonly Node[];
  readonly disturb: () => Promise<void>;
  /** Bytes after which a connection is cut, at most. */
  readonly longest: number;
  readonly mostResets: number;
}

async function play({ readers: count, beats, nodes, disturb, longest, mostResets }: Scene): Promise<void> {
  const pick = (): Node => {
    const running = nodes.filter(({ isRunning }) => isRunning);
    return running.length > 0 ? random.pick(running) : (nodes[0] as Node);
  };
  let readers: Readers | undefined;
  try {
    // One after the other, which makes the tables.
    for (const node of nodes) await node.start();
    for (const id of BUCKETS) await pick().client.buckets.create(id, BUCKET);
    const urls = nodes.map(({ url }) => url);
    readers = new Readers({ urls, readers: count, groups: GROUPS, longest, seed });
    await readers.until(({ started }) => started === GROUPS.length + count);
    let sent = 0;
    for (let part = 0; part <= KILLS || (readers.state?.cutReaders ?? 0) < count; part++) {
      const size = Math.floor(beats / (KILLS + 1));
      const writing = write(pick, size, part * size);
      if (part > 0 && part <= KILLS) await disturb();
      const written = await writing;
      const { seconds, away } = written;
      sent += written.sent;
      console.log(
        `${written.sent} heartbeats in ${seconds.toFixed(1)} s, ${away.toFixed(1)} s of it without a server: ` +
          `${Math.round(written.sent / (seconds - away))} a second of ${RATE}`,
      );
    }
    const comparing = inTime(readers.compare(), "each reader to have the stored events", IS_LONG ? 500 : 100);
    const { cutReaders, cuts, mostResets: most, equal, seconds } = await comparing;
    console.log(
      `${cutReaders} readers cut ${cuts} times, ${most} resets of one, ${Math.round(seconds)} s of processor`,
    );
    assert.is(equal, GROUPS.length + count);
    assert.ok(most <= mostResets);
    assert.ok(sent > beats / 2, `${sent} heartbeats`);
  } finally {
    readers?.kill();
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
    const longest = IS_LONG ? 12_000 : 1000;
    await play({ readers: READERS, beats: BEATS, nodes: [node], disturb, longest, mostResets: 1 + KILLS });
  }));

if (IS_LONG) {
  const url = await newDatabase();
  if (url === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
  else
    test("two servers over one database, of which one is killed, and readers that change between them", () => {
      const nodes = [new Node(url), new Node(url)] as const;
      const disturb = async (): Promise<void> => {
        const node = random.pick(nodes);
        await node.kill();
        await pause(random.between(50, 1000));
        await node.start();
      };
      // Each reader reads again after each message about a write of another node, and these are short.
      const [readers, beats] = [Math.ceil(READERS / 4), BEATS / 4];
      return play({ readers, beats, nodes, disturb, longest: 2000, mostResets: Number.POSITIVE_INFINITY });
    });
}

test.run();
