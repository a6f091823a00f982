// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { seededRandom } from "../../bench/data.js";
import type { Storage } from "../../src/index.js";
import { createTestServer } from "../../src/testing/index.js";
import { IS_LONG } from "../faults/sizes.js";
import { BUCKET, type Send, withServer } from "../harness.js";
import { ADAPTERS, json } from "./client.js";

const test = suite("memory budget of a server");

const MIB = 1024 * 1024;
const START = Date.parse("2024-03-01T00:00:00Z");
const HOUR = 3_600_000;
const DAYS = 4;
const EVENTS_PER_DAY = 800;
const TOKEN = "a token of more than thirty-two characters";
const OPERATOR = { authorization: `Bearer ${TOKEN}` };
const BUCKETS = ["window_box", "afk_box", "web_box", "editor_box"];

interface Memory {
  readonly limit_bytes: number;
  readonly used_bytes: number;
  readonly caches: readonly { readonly name: string; readonly bytes: number; readonly limit_bytes: number }[];
}

async function memoryOf(send: Send): Promise<Memory> {
  const { memory } = json(await send("GET", "/api/0/health", undefined, OPERATOR)) as { readonly memory: Memory };
  return memory;
}

function iso(millis: number): string {
  return new Date(START + millis).toISOString().replace("Z", "+00:00");
}

async function fill(send: Send): Promise<void> {
  const random = seededRandom(5);
  const step = (24 * HOUR) / EVENTS_PER_DAY;
  for (const id of BUCKETS) {
    await send("POST", `/api/0/buckets/${id}`, BUCKET);
    for (let day = 0; day < DAYS; day++) {
      const events = Array.from({ length: EVENTS_PER_DAY }, (_, at) => ({
        timestamp: iso(day * 24 * HOUR + at * step),
        duration: step / 1000,
        data:
          id === "afk_box"
            ? { status: at % 3 === 0 ? "afk" : "not-afk" }
            : { app: `app ${at % 9}`, title: `title ${Math.floor(random() * 4_000)} of a document` },
      }));
      await send("POST", `/api/0/buckets/${id}/events`, events);
    }
  }
}

type Request = readonly [method: string, path: string, body?: unknown];

/** A random workload in which requests are repeated. */
function requests(): Request[] {
  const random = seededRandom(7);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  return Array.from({ length: 40 }, () => {
    const first = Math.floor(random() * DAYS);
    const last = first + 1 + Math.floor(random() * (DAYS - first));
    const [start, end] = [iso(first * 24 * HOUR), iso(last * 24 * HOUR - 1000)];
    const range = new URLSearchParams({ start, end }).toString();
    const id = pick(BUCKETS);
    const bucket = `/api/0/buckets/${id}`;
    const program = [
      `events = query_bucket("${id}");`,
      `active = filter_keyvals(query_bucket("afk_box"), "status", ["not-afk"]);`,
      "events = filter_period_intersect(events, active);",
      `events = categorize(events, [[["Work"], {"type": "regex", "regex": "title ${first}|document"}]]);`,
      `RETURN = sort_by_duration(merge_events_by_keys(events, ["app", "title"]));`,
    ];
    return pick<Request>([
      ["GET", `${bucket}/events?${range}`],
      ["GET", `${bucket}/events?limit=${pick([1, 50, 1000])}`],
      ["GET", `${bucket}/timeline?${range}&bins=50`],
      ["GET", `/api/0/search?${range}&text=title%20${first}`],
      ["POST", "/api/0/query", { timeperiods: [`${start}/${end}`], query: program }],
      ["POST", "/api/0/query", { timeperiods: [`${start}/${end}`], query: [`RETURN = query_bucket("${id}");`] }],
      ["GET", `${bucket}/export`],
    ]);
  });
}

/** The responses of a server to the workload, the peak use of its caches, and the caches that were used. */
async function run(storage: Storage, memoryBudgetBytes: number) {
  const responses: string[] = [];
  const used = new Set<string>();
  let peak = 0;
  const options = { storage, memoryBudgetBytes, controlToken: TOKEN, clock: () => START, door: "process" } as const;
  await withServer(options, async ({ send }) => {
    await fill(send);
    for (const [method, path, body] of [...requests(), ...requests()]) {
      const response = await send(method, path, body);
      assert.is(response.status, 200, `${method} ${path}`);
      responses.push(String(response.body));
      const { limit_bytes, used_bytes, caches } = await memoryOf(send);
      assert.is(limit_bytes, memoryBudgetBytes);
      assert.ok(used_bytes <= memoryBudgetBytes, `${used_bytes} of ${memoryBudgetBytes} bytes after ${path}`);
      assert.is(
        caches.reduce((sum, { bytes }) => sum + bytes, 0),
        used_bytes,
      );
      for (const cache of caches) {
        assert.ok(cache.bytes >= 0 && cache.bytes <= cache.limit_bytes, `${cache.name}: ${cache.bytes}`);
        if (cache.bytes > 0) used.add(cache.name);
      }
      peak = Math.max(peak, used_bytes);
    }
  });
  return { responses, peak, used };
}

for (const [name, withStorage] of Object.entries(ADAPTERS)) {
  // A folder has all caches.
  if (name !== "leveldb" && !IS_LONG) continue;
  test(`all caches stay within the memory, and a small one changes no response (${name})`, async () => {
    let large: Awaited<ReturnType<typeof run>> | undefined;
    let small: Awaited<ReturnType<typeof run>> | undefined;
    await withStorage(async (storage) => {
      large = await run(storage, 1024 * MIB);
    });
    await withStorage(async (storage) => {
      small = await run(storage, MIB);
    });
    assert.is(small?.responses.length, large?.responses.length);
    for (const [at, response] of (large?.responses ?? []).entries()) {
      assert.ok(small?.responses[at] === response, `response ${at}`);
    }
    assert.ok((large?.peak ?? 0) > 2 * MIB, `the workload fits into the small memory: ${large?.peak} bytes`);
    assert.ok((small?.peak ?? 0) > MIB / 2, `the small memory is unused: ${small?.peak} bytes`);
    const expected = ["data", "event lists", "intermediate lists", "programs", "query results", "rules", "responses"];
    if (name === "leveldb") expected.push("segments", "serialized events");
    for (const cache of expected) assert.ok(large?.used.has(cache), `${cache} among ${[...(large?.used ?? [])]}`);
  });
}

test("a storage that is already open counts its segments", async () => {
  await ADAPTERS["leveldb"]?.(async (storage) => {
    await storage.ready();
    await withServer({ storage, controlToken: TOKEN, door: "process" }, async ({ send }) => {
      await fill(send);
      await send("GET", `/api/0/buckets/${BUCKETS[0]}/events`);
      const segments = (await memoryOf(send)).caches.find(({ name }) => name === "segments");
      assert.ok((segments?.bytes ?? 0) > 0);
    });
  });
});

test("only callers that can see details see the caches", async () => {
  await withServer({ controlToken: TOKEN, door: "process" }, async ({ send }) => {
    assert.equal(json(await send("GET", "/api/0/health")), { status: "ok" });
    const { limit_bytes, used_bytes } = await memoryOf(send);
    assert.equal([limit_bytes, used_bytes], [128 * MIB, 0]);
  });
});

test("two servers in a process do not share memory", async () => {
  const one = { storage: memory(), memoryBudgetBytes: 64 * MIB, controlToken: TOKEN, door: "process" } as const;
  await withServer(one, async ({ send }) => {
    await withServer({ ...one, storage: memory(), memoryBudgetBytes: 32 * MIB }, async ({ send: sendOther }) => {
      await fill(send);
      for (const request of requests()) await send(...request);
      assert.ok((await memoryOf(send)).used_bytes > 0);
      const { limit_bytes, used_bytes } = await memoryOf(sendOther);
      assert.equal([limit_bytes, used_bytes], [32 * MIB, 0]);
    });
  });
});

test("a test server has less memory", async () => {
  const server = createTestServer({ controlToken: TOKEN });
  const response = await server.fetch(new Request("http://localhost/api/0/health", { headers: OPERATOR }));
  const { memory } = (await response.json()) as { readonly memory: Memory };
  assert.is(memory.limit_bytes, 16 * MIB);
  await server.close();
});

test.run();
