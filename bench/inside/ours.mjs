// The operations of bench/inside/index.mjs on the built package.
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { createActivityServer } from "activity-server";

const ORIGIN = "http://127.0.0.1:5600";
const HEADERS = { host: "127.0.0.1:5600", "content-type": "application/json" };
const PULSETIME = 60_000_000;
const BATCH = 1000;
const UPLOAD_CHUNK_BYTES = 65_536;
const BEAT_EVERY_MILLIS = 10;

export async function openOurs(kind, place) {
  if (kind.startsWith("unstorage-")) return new Ours(kind, await openUnstorage(kind.slice("unstorage-".length), place));
  if (kind === "postgres") {
    const { postgres } = await import("activity-server/postgres");
    return new Ours(kind, postgres({ connectionString: place }));
  }
  if (kind === "memory") return new Ours(kind, (await import("activity-server/memory")).memory());
  const encryption = kind === "leveldb-encrypted" ? { encryption: { key: new Uint8Array(32).fill(1) } } : {};
  return new Ours(kind, (await import("activity-server/leveldb")).leveldb({ path: place, ...encryption }));
}

async function openUnstorage(driver, place) {
  const { unstorage } = await import("activity-server/unstorage");
  const { createStorage } = await import("unstorage");
  const { default: make } = await import(`unstorage/drivers/${driver}`);
  const options = driver === "redis" ? { path: place } : { base: place };
  return unstorage({ storage: createStorage({ driver: make(options) }), dispose: true });
}

/** Every operation gives `work`, which is called again and again, and maybe `end` and `notes` for afterwards. */
class Ours {
  /** What the parent handed over: events in microseconds, request bodies, an import file. */
  #loaded = { events: [], bodies: [], file: Buffer.alloc(0) };
  #made = 0;
  #kind;
  #storage;
  #server;

  constructor(kind, storage) {
    this.#kind = kind;
    this.#storage = storage;
    this.#server = createActivityServer({ storage });
  }

  load(given) {
    Object.assign(this.#loaded, given);
  }

  /** Puts the loaded events into a bucket of that name, for reads. */
  async fill(id) {
    await this.#newBucket(id);
    for (const slice of slicesOf(this.#loaded.events)) await this.#storage.putEvents(id, slice);
  }

  async answer(path) {
    return Buffer.from(await (await this.#fetch(path)).arrayBuffer());
  }

  close() {
    return this.#server.close();
  }

  async heartbeat({ kind, callers, buckets, data, firstSeconds }) {
    const ids = await this.#newBuckets(kind === "buckets" ? buckets : callers);
    let turn = 0;
    const work = (caller) => {
      const at = kind === "buckets" ? turn % ids.length : caller;
      const timestamp = (firstSeconds + Math.floor(turn / ids.length)) * 1e6;
      const beat = { timestamp, duration: 0, data: data[kind === "insert" ? turn % data.length : at] };
      turn++;
      return this.#storage.heartbeat(ids[at], beat, PULSETIME).then(nothing);
    };
    return { work, end: () => this.#drop(ids) };
  }

  /** One day of the filled bucket, picked at random by the parent. */
  days({ id, starts, length }) {
    let turn = 0;
    const work = async () => {
      const start = starts[turn++ % starts.length];
      let count = 0;
      const { batches } = await this.#storage.read(id, { start, end: start + length - 1 });
      for await (const batch of batches) count += batch.length;
      if (count === 0) throw new Error(`no events from ${start} on`);
    };
    return { work };
  }

  putEvents() {
    const slices = slicesOf(this.#loaded.events);
    return this.#inSlices(slices.length, (id, at) => this.#storage.putEvents(id, slices[at]));
  }

  insert() {
    const { bodies } = this.#loaded;
    return this.#inSlices(bodies.length, async (id, at) => {
      const response = await this.#fetch(`/api/0/buckets/${id}/events`, { method: "POST", body: bodies[at] });
      await response.arrayBuffer();
    });
  }

  read({ paths }) {
    let turn = 0;
    const work = async () => {
      const response = await this.#fetch(paths[turn++ % paths.length]);
      return (await response.arrayBuffer()).byteLength;
    };
    return { work };
  }

  /** Reads an answer piece by piece and keeps nothing of it. */
  stream({ path }) {
    const work = async () => {
      let bytes = 0;
      for await (const chunk of (await this.#fetch(path)).body) bytes += chunk.length;
      return bytes;
    };
    return { work };
  }

  async importFile({ keyAt }) {
    const { file } = this.#loaded;
    const watcher = await this.#newBucket();
    let longest = 0;
    const work = async () => {
      file.write(String(this.#made++).padStart(3, "0"), keyAt, "latin1");
      const importing = this.#fetch("/api/0/import", { method: "POST", body: upload(file), duplex: "half" });
      longest = Math.max(longest, await this.#beatUntil(importing, watcher));
      await (await importing).text();
    };
    return { work, notes: () => ({ "beat ms": longest }) };
  }

  /** Sends heartbeats until something has settled. Gives the longest wait in milliseconds. */
  async #beatUntil(promise, bucketId) {
    let over = false;
    const end = () => (over = true);
    promise.then(end, end);
    let longest = 0;
    for (let turn = 0; !over; turn++) {
      const timestamp = new Date(1_750_000_000_000 + turn * 1000).toISOString();
      const body = JSON.stringify({ timestamp, data: { app: "Code" } });
      const sentAt = performance.now();
      await (await this.#fetch(`/api/0/buckets/${bucketId}/heartbeat?pulsetime=60`, { method: "POST", body })).text();
      longest = Math.max(longest, performance.now() - sentAt);
      await pause(BEAT_EVERY_MILLIS);
    }
    return longest;
  }

  /** Writes slices one after the other, and goes on in a new bucket after the last. */
  #inSlices(count, write) {
    const ids = [];
    let at = count;
    const work = async () => {
      if (at === count) {
        at = 0;
        ids.push(await this.#newBucket());
      }
      await write(ids.at(-1), at++);
    };
    return { work, end: () => this.#drop(ids) };
  }

  async #newBucket(id = `bench-${this.#made++}`) {
    const created = 1_704_067_200_000_000;
    await this.#storage.createBucket({ id, type: "t", client: "c", hostname: "h", name: null, created, data: {} });
    return id;
  }

  async #newBuckets(count) {
    const ids = [];
    while (ids.length < count) ids.push(await this.#newBucket());
    return ids;
  }

  /** Memory would only grow from row to row; LevelDB would be busy with the deletion during the next row. */
  async #drop(ids) {
    if (this.#kind.endsWith("memory")) for (const id of ids) await this.#storage.deleteBucket(id);
  }

  async #fetch(path, init = {}) {
    const response = await this.#server.fetch(new Request(ORIGIN + path, { ...init, headers: HEADERS }));
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
}

function nothing() {}

function slicesOf(events) {
  return Array.from({ length: Math.ceil(events.length / BATCH) }, (_, index) =>
    events.slice(index * BATCH, (index + 1) * BATCH),
  );
}

/** A body that arrives in pieces, as one does from a socket. */
function upload(file) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= file.length) {
        controller.close();
        return;
      }
      // A copy, as every piece from a socket is memory of its own.
      controller.enqueue(new Uint8Array(file.subarray(at, at + UPLOAD_CHUNK_BYTES)));
      at += UPLOAD_CHUNK_BYTES;
    },
  });
}
