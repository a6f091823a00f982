// Readers of the feed in a process of their own, whose connections are cut at random places. It is started with a `Task`
// as JSON, sends its `State` several times a second, and after a message compares what the readers have.
import { isTransient } from "../../src/client/errors.js";
import { type ActivityClient, createClient, type Fetch } from "../../src/client/index.js";
import { nodeFetch } from "../../src/client/node-fetch.js";
import { createRandom } from "../../src/testing/random.js";
import { CutNetwork, eventsOf, type Reader, startReader } from "./cut-network.js";
import { Follower, type Readings } from "./follower.js";

export interface Task {
  readonly urls: readonly string[];
  readonly readers: number;
  /** Each reader follows the buckets of one group, and each group has one reader that is not cut. */
  readonly groups: readonly string[];
  /** Bytes after which a connection is cut, at most. */
  readonly longest: number;
  readonly seed: string;
}

export interface State {
  readonly started: number;
  readonly cutReaders: number;
  readonly cuts: number;
  readonly mostResets: number;
  /** Readers with exactly the stored events, once these are compared. */
  readonly equal: number;
  /** Processor time in seconds. */
  readonly seconds: number;
}

interface CutReader {
  readonly group: string;
  /** `undefined`: it is not cut. */
  readonly network: CutNetwork | undefined;
  readonly reader: Reader;
  readonly ending: AbortController;
}

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

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

/** Many readers read the same: each gets a reading that started after it asked, and one is made at a time. */
function shared<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<T>>();
  return (key) => {
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const made = (async () => {
      await running.get(key);
      waiting.delete(key);
      const reading = read(key);
      running.set(
        key,
        reading.catch(() => undefined),
      );
      return reading;
    })();
    waiting.set(key, made);
    return made;
  };
}

function start({ urls, readers, groups, longest, seed }: Task): CutReader[] {
  const random = createRandom(seed);
  const clients = urls.map((url) => createClient({ url, retries: 0 }));
  const client = (): ActivityClient => random.pick(clients);
  const send = nodeFetch({});
  const whole: Fetch = (url, init) => send(url.replace("http://localhost", random.pick(urls)), init);
  const events = shared((bucketId) => persist(() => eventsOf(client(), bucketId)));
  const list = shared(() => persist(() => client().buckets.list()));
  const readingsOf = (group: string): Readings => ({
    list: async () => Object.keys(await list("")).filter((id) => id.startsWith(group)),
    events,
  });
  return Array.from({ length: groups.length + readers }, (_, at) => {
    const group = groups[at % groups.length] as string;
    const network = at < groups.length ? undefined : new CutNetwork(whole, random, longest);
    const fetch = network?.fetch ?? whole;
    // One for each: a signal looks at all of its listeners for a new one.
    const ending = new AbortController();
    const { signal } = ending;
    const reader = startReader({ fetch, signal, readings: readingsOf(group), buckets: `${group}*` });
    return { group, network, reader, ending };
  });
}

/** The events that are stored now, by group. */
async function readStored({ urls, groups }: Task): Promise<Map<string, Follower>> {
  const client = createClient({ url: urls[0] as string });
  const ids = Object.keys(await client.buckets.list());
  const found = new Map<string, Follower>();
  for (const group of groups) {
    const list = async (): Promise<string[]> => ids.filter((id) => id.startsWith(group));
    const follower = new Follower({ list, events: (id) => eventsOf(client, id) });
    await follower.take({ type: "reset" });
    found.set(group, follower);
  }
  return found;
}

const task = JSON.parse(process.argv[2] ?? "") as Task;
const all = start(task);
const equal = new Set<CutReader>();
const cut = all.flatMap(({ network }) => network ?? []);

function report(): void {
  const { user, system } = process.cpuUsage();
  const resets = all.map(({ reader }) => reader.follower.resets);
  const state: State = {
    started: resets.filter((count) => count > 0).length,
    cutReaders: cut.filter(({ cuts }) => cuts > 0).length,
    cuts: cut.reduce((sum, { cuts }) => sum + cuts, 0),
    mostResets: Math.max(...resets),
    equal: equal.size,
    seconds: (user + system) / 1e6,
  };
  process.send?.(state);
}

setInterval(report, 250);
process.once("message", async () => {
  const stored = await readStored(task);
  const hasAll = ({ group, reader }: CutReader): boolean => reader.follower.equals(stored.get(group) as Follower);
  while (equal.size < all.length) {
    await pause(250);
    for (const one of all) if (!equal.has(one) && hasAll(one)) equal.add(one);
  }
  for (const { ending } of all) ending.abort();
  await Promise.all(all.map(({ reader }) => reader.ended));
  report();
  process.disconnect();
  process.exit();
});
