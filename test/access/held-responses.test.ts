// Credentials that end while a response is made: what was read for them is not sent.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { hasProperty } from "../../src/api/codec.js";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { SCHEMA_LIST } from "../../src/api/schemas.js";
import type { ActivityServer, Storage } from "../../src/index.js";
import { fakeClock } from "../../src/testing/index.js";
import { BUCKET, inTime, withServer } from "../harness.js";
import { until } from "../http/client.js";
import { door } from "../http/storages.js";
import { words } from "../words.js";
import { proved } from "./proofs.js";
import { signIn } from "./scene.js";

const test = suite("responses that are held");

/** Where pages are. */
const HOST = "http://127.0.0.1:5600";
const PERIOD = "2024-03-01T00:00:00Z/2024-03-02T00:00:00Z";
/** What a held event has, and an error may say. */
const SECRET = "a secret title";
const HELD: ReadonlySet<string> = new Set(words`read countEvents getEvent getBucket summaries listBuckets transact`);

type Asked = readonly [method: string, path: string, body?: unknown];

const QUERY: Asked = ["POST", "/api/0/query", { timeperiods: [PERIOD], query: ['RETURN = query_bucket("b");'] }];
const RULES = { rules: [{ when: { key: "title", equals: SECRET }, then: "drop" }] };

/** What reads. */
const READS: readonly Asked[] = [
  ["GET", "/api/0/buckets"],
  ["GET", "/api/0/buckets/b"],
  ["GET", "/api/0/buckets/b/events"],
  ["GET", "/api/0/buckets/b/events?format=csv"],
  ["GET", "/api/0/buckets/b/events?filter=title~secret"],
  ["GET", "/api/0/buckets/b/events/count"],
  ["GET", "/api/0/buckets/b/events/1"],
  ["GET", "/api/0/buckets/b/timeline?bins=10"],
  ["GET", "/api/0/buckets/b/export"],
  ["GET", "/api/0/export"],
  ["GET", "/api/0/search?filter=title~secret"],
  ["GET", "/api/0/search?filter=title~secret&group=title"],
  ["GET", "/api/0/search?filter=title~secret&format=csv"],
  ["GET", "/api/0/settings/rules"],
  QUERY,
  ["POST", "/api/0/privacy/preview", RULES],
  ["POST", "/api/0/report", { date: "2024-03-01", groups: ["title"] }],
  ["POST", "/api/0/retention/preview", { rules: [{ buckets: "b", keepDays: 1 }] }],
];

/** What only reads for a preview, by its operation. */
const PREVIEWS: Readonly<Record<string, Asked>> = {
  deleteEvents: ["POST", "/api/0/buckets/b/events/delete", { filter: ["title~secret"], preview: true }],
  deleteEventsOfAll: ["POST", "/api/0/events/delete", { filter: ["title~secret"], preview: true }],
  applyPrivacy: ["POST", "/api/0/privacy/apply", { ...RULES, preview: true }],
  renameBucket: ["POST", "/api/0/buckets/b/rename", { to: "d", preview: true }],
  setBucketHost: ["POST", "/api/0/buckets/b/host", { hostname: "d", preview: true }],
  renameHost: ["POST", `/api/0/hosts/${BUCKET.hostname}/rename`, { to: "d", preview: true }],
  mergeBuckets: ["POST", "/api/0/buckets/b/merge", { from: ["c"], preview: true }],
};

/** What goes wrong by what was read. */
const FAILURES: readonly Asked[] = [
  ["GET", "/api/0/buckets/none"],
  ["GET", "/api/0/buckets/b/events/99"],
  ["POST", "/api/0/query", { timeperiods: [PERIOD], query: ['RETURN = query_bucket("b") + 1;'] }],
  ["POST", "/api/0/buckets/b/rename", { to: "c", preview: true }],
];

interface Scene {
  readonly server: ActivityServer;
  readonly clock: ReturnType<typeof fakeClock>;
  send(asked: Asked, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a request, lets something happen while the storage waits, and has it go on. */
  across(asked: Asked, headers: Readonly<Record<string, string>>, happens: () => unknown): Promise<Response>;
}

async function inScene(body: (scene: Scene) => Promise<void>): Promise<void> {
  let holding: { readonly gate: Promise<void>; onCall(): void } | undefined;
  const inner = memory();
  const held = <Target extends object>(target: Target, names?: ReadonlySet<string>): Target =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name);
        if (name === "settings") return held(value as object);
        if (typeof value !== "function" || (names !== undefined && !names.has(String(name)))) return value;
        return async (...args: unknown[]) => {
          const result: unknown = await value.apply(target, args);
          holding?.onCall();
          await holding?.gate;
          return result;
        };
      },
    });
  const clock = fakeClock();
  let count = 0;
  const storage: Storage = held(inner, HELD);
  await withServer({ door: "process", storage, clock, auth: "required" }, async ({ server }) => {
    const send: Scene["send"] = ([method, path, content], headers = {}) => {
      const shown = proved({ "content-type": "application/json", ...headers }, method, path, clock());
      const sent = content === undefined ? {} : { body: JSON.stringify(content) };
      return server.fetch(new Request(`${HOST}${path}`, { method, headers: shown, ...sent }));
    };
    const across: Scene["across"] = async (asked, headers, happens) => {
      // No response is remembered.
      await server.events.insert("b", {
        timestamp: new Date(Date.UTC(2024, 2, 1)),
        data: { title: SECRET, n: count++ },
      });
      const { opened: gate, open } = door();
      let isHeld = false;
      holding = {
        gate,
        onCall() {
          isHeld = true;
        },
      };
      const response = send(asked, headers);
      await until(() => isHeld, `a call of the storage for ${asked[1]}`);
      holding = undefined;
      await happens();
      open();
      return inTime(response, asked[1]);
    };
    await server.buckets.create("b", BUCKET);
    await server.buckets.create("c", BUCKET);
    await server.settings.put("rules", SECRET);
    await body({ server, clock, send, across });
  });
}

async function bearer(server: ActivityServer, name: string, expires?: Date) {
  const { key } = await server.keys.add({ name, scopes: ["admin"], ...(expires && { expires }) });
  return { authorization: `Bearer ${key}` };
}

/** Operations that only read although they are a POST, with their examples. */
const EXAMPLES: readonly Asked[] = Object.values<Operation>(OPERATION_LIST).flatMap(
  ({ method, path, readsOnly, body }) =>
    readsOnly && !READS.some(([, known]) => known === path)
      ? [[method, path, body?.["application/json"]?.example] as const]
      : [],
);

for (const asked of [...READS, ...EXAMPLES, ...Object.values(PREVIEWS), ...FAILURES]) {
  test(`a key that was revoked in the meantime gets nothing: ${asked[0]} ${asked[1]}`, () =>
    inScene(async ({ server, across }) => {
      const key = await bearer(server, "admin");
      const undisturbed = await across(asked, key, () => undefined);
      assert.is(undisturbed.status >= 400, FAILURES.includes(asked), await undisturbed.text());
      const response = await across(asked, key, () => server.keys.revoke("admin"));
      const text = await response.text();
      assert.is(response.status, 401, text);
      assert.not.match(text, SECRET);
    }));
}

test("every operation that can be previewed is among these", () => {
  const previewable = Object.entries<Operation>(OPERATION_LIST).filter(([, { body }]) => {
    const schema = body?.["application/json"]?.schema;
    return schema !== undefined && hasProperty(SCHEMA_LIST[schema], "preview");
  });
  assert.equal(previewable.map(([id]) => id).sort(), Object.keys(PREVIEWS).sort());
});

test("an expired key gets nothing, nor does an ended session", () =>
  inScene(async ({ server, clock, across }) => {
    const key = await bearer(server, "short", new Date(clock() + 60_000));
    assert.is((await across(QUERY, key, () => clock.advance("2m"))).status, 401);

    const { id, cookie, secret } = await signIn(server, HOST);
    const page = { origin: HOST, cookie, "x-activity-session": secret };
    assert.is((await across(QUERY, page, () => undefined)).status, 200);
    assert.is((await across(QUERY, page, () => server.sessions.end(id))).status, 401);
  }));

test("another key that is revoked changes nothing", () =>
  inScene(async ({ server, across }) => {
    const key = await bearer(server, "admin");
    await bearer(server, "other");
    assert.is((await across(QUERY, key, () => server.keys.revoke("other"))).status, 200);
  }));

test("a change that was made is reported, whatever becomes of its key", () =>
  inScene(async ({ server, across }) => {
    const key = await bearer(server, "admin");
    const deletion: Asked = ["POST", "/api/0/buckets/b/events/delete", { filter: ["title~secret"] }];
    assert.is((await across(deletion, key, () => server.keys.revoke("admin"))).status, 200);
    assert.is(await server.events.count("b"), 0);
    const setting: Asked = ["POST", "/api/0/settings/rules", { preview: true }];
    const other = await bearer(server, "other");
    assert.is((await across(setting, other, () => server.keys.revoke("other"))).status, 200);
    assert.equal(await server.settings.get("rules"), { preview: true });
  }));

test.run();
