// A storage of the built package or its floor, called in its own process. Started by storage.ts with a channel.
// node bench/storage.mjs KIND PLACE: leveldb, encrypted, unstorage, postgres, leveldb-floor or postgres-floor, and its
// folder or URL
import { commands } from "./probe.mjs";

const PULSETIME = 60_000_000;
const FIRST_SECONDS = 1_750_000_000;
const BUCKETS = 100;
const BULK = 1000;

const [kind, place] = process.argv.slice(2);
let bucketCount = 0;
/** Distinct data of heartbeats, and events in microseconds. */
let loaded = { data: [], slices: [] };
const opening = open();
// Nothing else keeps this process alive.
process.channel.ref();

commands.load = ({ data, events }) => {
  const slices = Array.from({ length: Math.ceil(events.length / BULK) }, (_, at) =>
    events.slice(at * BULK, (at + 1) * BULK),
  );
  loaded = { data, slices };
};

/** Calls an operation for a time. @returns calls, seconds, latencies and CPU */
commands.run = async ({ operation, callers, seconds, warmUpSeconds, most }) => {
  const subject = await opening;
  const work = operation === "bulk" ? await bulk(subject) : await heartbeats(subject, operation, callers);
  globalThis.gc();
  await drive({ work, callers, seconds: warmUpSeconds, most: most / 10 });
  const cpu = process.cpuUsage();
  const result = await drive({ work, callers, seconds, most });
  const { user, system } = process.cpuUsage(cpu);
  return { ...result, cpuMicros: user + system };
};

/** Heartbeats that merge or not: each caller has a bucket, or all take turns with 100 buckets. */
async function heartbeats(subject, operation, callers) {
  const ids = [];
  while (ids.length < (operation === "buckets" ? BUCKETS : callers))
    ids.push(await subject.createBucket(bucketCount++));
  let turn = 0;
  return (caller) => {
    const at = operation === "buckets" ? turn % ids.length : caller;
    const timestamp = (FIRST_SECONDS + Math.floor(turn / ids.length)) * 1e6;
    const data = loaded.data[operation === "insert" ? turn % loaded.data.length : at];
    turn++;
    return subject.heartbeat(ids[at], { timestamp, duration: 0, data }, operation === "insert");
  };
}

/** Inserts of 1,000 events; after the whole sample, they continue in a new bucket. */
async function bulk(subject) {
  let id;
  let at = 0;
  return async () => {
    if (at % loaded.slices.length === 0) id = await subject.createBucket(bucketCount++);
    await subject.insert(id, loaded.slices[at++ % loaded.slices.length]);
  };
}

async function drive({ work, callers, seconds, most }) {
  const latencies = [];
  let left = most;
  const start = performance.now();
  const until = start + seconds * 1000;
  async function call(caller) {
    let now = start;
    do {
      left--;
      const sentAt = performance.now();
      await work(caller);
      now = performance.now();
      latencies.push(now - sentAt);
    } while (now < until && left > 0);
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const took = (performance.now() - start) / 1000;
  return { requests: latencies.length, bodyBytes: 0, seconds: took, latencies: Float64Array.from(latencies).sort() };
}

async function open() {
  if (kind === "leveldb-floor") return openRawLevel();
  if (kind === "postgres-floor") return openUpdates();
  const storage = await openStorage();
  await storage.ready?.();
  const created = FIRST_SECONDS * 1e6;
  return {
    async createBucket(number) {
      const id = `bench-${number}`;
      await storage.createBucket({ id, type: "t", client: "c", hostname: "h", name: null, created, data: {} });
      return id;
    },
    heartbeat: (id, event) => storage.heartbeat(id, event, PULSETIME),
    insert: (id, events) => storage.putEvents(id, events),
  };
}

async function openStorage() {
  if (kind === "postgres") {
    return (await import("activity-server/postgres")).postgres({ connectionString: place, namespace: "storage" });
  }
  if (kind === "unstorage") {
    const { createStorage } = await import("unstorage");
    const { default: fsLite } = await import("unstorage/drivers/fs-lite");
    const storage = createStorage({ driver: fsLite({ base: place }) });
    return (await import("activity-server/unstorage")).unstorage({ storage });
  }
  const encryption = kind === "encrypted" ? { encryption: { key: new Uint8Array(32).fill(1) } } : {};
  return (await import("activity-server/leveldb")).leveldb({ path: place, ...encryption });
}

/** Puts of each event as JSON, and nothing else. Puts that arrive during a batch go into the next batch. */
async function openRawLevel() {
  const { ClassicLevel } = await import("classic-level");
  const level = new ClassicLevel(place, { keyEncoding: "utf8", valueEncoding: "utf8" });
  await level.open();
  /** The number of the next new event; buckets have the numbers below. */
  let next = 1e6;
  let waiting = [];
  let isWriting = false;
  const put = (number, event) => ({
    type: "put",
    key: `e!0001!${String(number).padStart(12, "0")}`,
    value: JSON.stringify({ id: number, ...event }),
  });
  async function write() {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await level.batch(batch.map(({ operation }) => operation));
      for (const { resolve } of batch) resolve();
    }
    isWriting = false;
  }
  return {
    createBucket: async (number) => number,
    heartbeat: (bucket, event, isNew) =>
      new Promise((resolve) => {
        waiting.push({ operation: put(isNew ? next++ : bucket, event), resolve });
        if (!isWriting) write();
      }),
    insert: (_bucket, events) => level.batch(events.map((event) => put(next++, event))),
  };
}

/** One prepared UPDATE by primary key for each heartbeat, over a pool of the same size as ours. */
async function openUpdates() {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: place, max: 10 });
  await pool.query(`create table if not exists bench_floor (id integer primary key, duration bigint not null)
    with (fillfactor = 50)`);
  await pool.query("insert into bench_floor select id, 0 from generate_series(0, 9999) id on conflict do nothing");
  await pool.query("vacuum analyze bench_floor");
  const text = "update bench_floor set duration = $2 where id = $1";
  return {
    createBucket: async (number) => number,
    heartbeat: (bucket, { timestamp }) => pool.query({ name: "beat", text, values: [bucket, timestamp] }),
  };
}
