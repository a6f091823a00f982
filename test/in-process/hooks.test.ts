// What a host says before a write and hears after it, whichever way the write came.

import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import {
  ActivityError,
  type ActivityServer,
  type ActivityServerOptions,
  allow,
  createActivityServer,
  type InProcessApi,
  micros,
  type ServerNotices,
  type Storage,
  secondsToMicros,
  veto,
  type WriteHooks,
} from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { codeOf } from "../refusals.js";

const test = suite("hooks and notices");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const EVENT = { timestamp: micros(1_000_000), data: { app: "x" } };
const NAMES: readonly (keyof ServerNotices)[] = ["event", "heartbeat", "bucket", "import", "close"];

async function withBuckets(
  options: Partial<Omit<ActivityServerOptions, "storage">> & { readonly storage?: Storage | undefined },
  body: (server: ActivityServer, errors: unknown[]) => Promise<void>,
): Promise<void> {
  const storage = options.storage ?? memory();
  for (const id of ["b", "other"]) await storage.createBucket({ ...BUCKET, id, name: null, created: 0, data: {} });
  await withServer({ door: "process", ...options, storage }, ({ server, errors }) => body(server, errors));
}

async function ask(server: ActivityServer, method: string, path: string, body?: unknown): Promise<[number, unknown]> {
  const answer = await sendJson(server, method, `/api/0${path}`, body);
  const text = await answer.text();
  return [answer.status, text === "" ? "" : JSON.parse(text)];
}

/** Every write of the API, by HTTP and in process, with the hook that it passes. */
const WRITES: readonly {
  readonly hook: keyof WriteHooks;
  readonly http: readonly [method: string, path: string, body?: unknown];
  call(server: InProcessApi): Promise<unknown>;
}[] = [
  {
    hook: "beforeHeartbeat",
    http: ["POST", "/buckets/b/heartbeat?pulsetime=1", { timestamp: "1970-01-01T00:00:01Z", data: {} }],
    call: (server) => server.heartbeat("b", EVENT, "1s"),
  },
  {
    hook: "beforeInsert",
    http: ["POST", "/buckets/b/events", [{ timestamp: "1970-01-01T00:00:01Z" }]],
    call: (server) => server.events.insert("b", EVENT),
  },
  {
    hook: "beforeDeleteEvent",
    http: ["DELETE", "/buckets/b/events/1"],
    call: (server) => server.events.delete("b", 1),
  },
  { hook: "beforeCreateBucket", http: ["POST", "/buckets/new", BUCKET], call: (s) => s.buckets.create("new", BUCKET) },
  { hook: "beforeUpdateBucket", http: ["PUT", "/buckets/b", { name: "n" }], call: (s) => s.buckets.update("b", {}) },
  { hook: "beforeDeleteBucket", http: ["DELETE", "/buckets/b?force=1"], call: (server) => server.buckets.delete("b") },
  {
    hook: "beforeImport",
    http: ["POST", "/import", { buckets: { new: BUCKET } }],
    call: (server) => server.import({ buckets: { new: BUCKET } }),
  },
  { hook: "beforeSetting", http: ["POST", "/settings/k", 1], call: (server) => server.settings.put("k", 1) },
  { hook: "beforeSetting", http: ["DELETE", "/settings/k"], call: (server) => server.settings.delete("k") },
];

async function state(server: ActivityServer): Promise<unknown> {
  const buckets = await server.buckets.list();
  const events = await Promise.all(buckets.map(({ id }) => server.events.read(id).toArray()));
  return [buckets, events, await server.settings.list()];
}

for (const { hook, http, call } of WRITES) {
  test(`${hook} can veto ${http.slice(0, 2).join(" ")}: 403 with its type and message, the same code in process`, async () => {
    const hooks: WriteHooks = { [hook]: async () => Promise.reject(veto("not on Sundays")) };
    await withBuckets({ hooks }, async (server) => {
      const told: unknown[] = [];
      for (const name of NAMES) server.on(name, () => told.push(name));
      const before = await state(server);
      const body = { type: "Vetoed", message: "not on Sundays", code: "VETOED" };
      assert.equal(await ask(server, ...http), [403, body]);
      const thrown: unknown = await call(server).catch((error: unknown) => error);
      assert.ok(ActivityError.is(thrown) && thrown.code === "VETOED" && thrown.message === "not on Sundays");
      assert.equal(await state(server), before);
      assert.equal(told, []);
    });
  });

  test(`a call on behalf of a user shows ${hook} the user (${http[0]})`, async () => {
    const seen: unknown[] = [];
    const hooks: WriteHooks = { [hook]: (write: { identity?: object }) => void seen.push(write.identity) };
    await withBuckets({ hooks }, async (server) => {
      const job = { name: "nightly job" };
      for (const name of NAMES) server.on(name, (notice) => "identity" in notice && seen.push(notice.identity));
      await call(server.as(job));
      assert.ok(seen.length >= (["beforeSetting", "beforeDeleteEvent"].includes(hook) ? 1 : 2));
      assert.ok(seen.every((identity) => identity === job));
      seen.length = 0;
      await server.settings.put("other", 1);
      await server.events.insert("other", EVENT);
      assert.ok(seen.every((identity) => identity === undefined));
    });
  });

  test(`a fault of ${hook} answers 500 without its text, and nothing is written (${http[0]})`, async () => {
    const fault = new Error("secret of the host");
    const hooks: WriteHooks = {
      [hook]: () => {
        throw fault;
      },
    };
    await withBuckets({ hooks }, async (server, errors) => {
      const before = await state(server);
      const [status, body] = await ask(server, ...http);
      assert.is(status, 500);
      assert.not.match(JSON.stringify(body), /secret/);
      assert.equal(errors.splice(0), [fault]);
      assert.is(await call(server).catch((error: unknown) => error), fault);
      assert.equal(await state(server), before);
    });
  });
}

test("an error of the server in a hook keeps its code and status, and is not logged", async () => {
  const servers: ActivityServer[] = [];
  const hooks: WriteHooks = {
    async beforeHeartbeat() {
      await servers[0]?.buckets.get("missing");
    },
    beforeSetting() {
      throw new ActivityError("CONFLICT", "not now");
    },
  };
  await withBuckets({ hooks }, async (server) => {
    servers.push(server);
    const before = await state(server);
    const beat = { timestamp: "2024-03-01T10:00:00Z", data: {} };
    const [status, body] = await ask(server, "POST", "/buckets/b/heartbeat?pulsetime=1", beat);
    assert.equal([status, (body as { code: string }).code], [404, "NO_SUCH_BUCKET"]);
    assert.is(await codeOf(server.settings.put("a", 1)), "CONFLICT");
    assert.equal(await state(server), before);
  });
});

test("a call on behalf of a user needs an object, and has every method", async () => {
  await withBuckets({}, async (server) => {
    for (const identity of [undefined, null, "ada", 5]) {
      assert.throws(
        () => server.as(identity as unknown as object),
        /^identity must be an object that names the caller/,
      );
    }
    const methodsOf = (api: object): string[] =>
      Object.entries(api).flatMap(([name, value]) =>
        typeof value === "function" ? [name] : Object.keys(value).map((method) => `${name}.${method}`),
      );
    const own = ["as", "app", "fetch", "nodeHandler", "listen", "on", "usage", "maintain", "destroy", "close"];
    const all = methodsOf(server).filter((name) => !own.includes(name.split(".")[0] as string));
    assert.equal(methodsOf(server.as({})).sort(), all.sort());
  });
});

/** Vetoes with the status and the header of their responses, and whether queues drop what was refused. */
const VETOES = [
  { options: { status: 402 }, status: 402, header: null, isLasting: true },
  { options: { status: 429, retryAfter: 59.5 }, status: 429, header: "60", isLasting: false },
  { options: { status: 503, retryAfter: 0 }, status: 503, header: "0", isLasting: false },
  { options: { retryAfter: 7 }, status: 403, header: "7", isLasting: true },
] as const;

for (const { options, status, header, isLasting } of VETOES) {
  test(`a veto with ${JSON.stringify(options)} has that response over HTTP and in process, and is not logged`, async () => {
    const hooks: WriteHooks = {
      beforeSetting() {
        throw veto("not now", options);
      },
    };
    await withBuckets({ hooks }, async (server) => {
      const response = await sendJson(server, "POST", "/api/0/settings/k", 1);
      assert.equal([response.status, response.headers.get("retry-after")], [status, header]);
      const type = isLasting ? { type: "Vetoed" } : {};
      assert.equal(await response.json(), { ...type, message: "not now", code: "VETOED" });
      const thrown: unknown = await server.settings.put("k", 1).catch((error: unknown) => error);
      assert.ok(ActivityError.is(thrown) && thrown.code === "VETOED");
      const { retryAfter } = options as { readonly retryAfter?: number };
      assert.is(thrown.retryAfter, retryAfter);
    });
  });
}

test("a veto with a status or time that cannot be sent is a mistake of the hook", () => {
  for (const options of [
    { status: 200 },
    { status: 400.5 },
    { status: 600 },
    { retryAfter: -1 },
    { retryAfter: Number.NaN },
  ]) {
    assert.throws(
      () => veto("no", options),
      (error: unknown) => error instanceof TypeError,
    );
  }
});

test("no hook sees a setting that cannot be kept", async () => {
  const seen: unknown[] = [];
  const hooks: WriteHooks = {
    beforeSetting({ key, value }) {
      seen.push(value);
      return { key, value: "fixed" };
    },
  };
  await withBuckets({ hooks }, async (server) => {
    const headers = { "content-type": "application/json" };
    const request = new Request("http://localhost/api/0/settings/k", { method: "POST", headers, body: "1e400" });
    assert.is((await server.fetch(request)).status, 400);
    assert.is(await codeOf(server.settings.put("k", Number.POSITIVE_INFINITY)), "INVALID_INPUT");
    assert.equal(seen, []);
    assert.is(await server.settings.get("k"), null);
  });
});

test("a hook that returns nothing leaves the write as it is", async () => {
  const seen: string[] = [];
  const hooks = Object.fromEntries(WRITES.map(({ hook }) => [hook, () => void seen.push(hook)])) as WriteHooks;
  await withBuckets({ hooks }, async (server) => {
    for (const { http } of WRITES.filter(({ hook }) => hook !== "beforeDeleteBucket")) {
      assert.is((await ask(server, ...http))[0], 200, http.join(" "));
    }
    assert.equal(new Set(seen).size, 7);
    assert.is(await server.events.count("b"), 1);
  });
});

test("a hook can change what is written, and where", async () => {
  const hooks: WriteHooks = {
    beforeHeartbeat: (write) => ({ ...write, bucketId: "other", beat: { ...write.beat, data: { app: "hidden" } } }),
    beforeInsert: (write) => ({ ...write, events: write.events.slice(0, 1) }),
    beforeCreateBucket: (write) => ({ ...write, bucket: { ...write.bucket, hostname: "masked" } }),
    beforeUpdateBucket: (write) => ({ ...write, patch: { client: "masked" } }),
    beforeDeleteEvent: (write) => ({ ...write, eventId: write.eventId + 1 }),
    beforeImport: (write) => ({ ...write, buckets: write.buckets.slice(0, 1) }),
    beforeSetting: (write) => ({ ...write, value: [write.value] }),
  };
  await withBuckets({ hooks }, async (server) => {
    await server.heartbeat("b", EVENT, "1s");
    assert.equal((await server.events.read("other").toArray())[0]?.data, { app: "hidden" });
    assert.is((await server.events.insert("b", [EVENT, EVENT])).length, 1);
    await server.buckets.create("new", BUCKET);
    assert.is((await server.buckets.get("new")).hostname, "masked");
    await server.buckets.update("new", { client: "x" });
    assert.is((await server.buckets.get("new")).client, "masked");
    const [held] = await server.events.read("b").toArray();
    assert.ok(await server.events.delete("b", (held?.id ?? 0) - 1));
    assert.is((await server.import({ buckets: { i1: BUCKET, i2: BUCKET } })).bucketsCreated, 1);
    assert.equal(await ask(server, "POST", "/settings/k", 5), [200, [5]]);
  });
});

/** What a hook can return by mistake. */
const NO_WRITES: readonly unknown[] = [true, "ok", {}, { bucketId: "", beat: {}, pulsetime: 0 }];

test("what a hook makes of a write is checked, and a mistake in it is the host's", async () => {
  const beat = { timestamp: 0.5, duration: 0, data: {} };
  for (const returned of [...NO_WRITES, { bucketId: "b", beat, pulsetime: 0 }]) {
    const hooks = { beforeHeartbeat: () => returned, beforeInsert: () => returned, beforeImport: () => [returned] };
    await withBuckets({ hooks: hooks as unknown as WriteHooks }, async (server, errors) => {
      const event = { timestamp: "1970-01-01T00:00:01Z" };
      for (const [path, body] of [
        ["/buckets/b/heartbeat?pulsetime=1", event],
        ["/buckets/b/events", [event]],
      ] as const) {
        const [status, answer] = await ask(server, "POST", path, body);
        assert.is(status, 500);
        assert.not.match(JSON.stringify(answer), /before/);
      }
      const [first, second] = errors.splice(0) as Error[];
      assert.match(first?.message ?? "", /^beforeHeartbeat returned no valid write: /);
      assert.match(second?.message ?? "", /^beforeInsert returned no valid write: /);
      assert.is(await server.events.count("b"), 0);
    });
  }
});

test("an import that a hook has thinned out is checked where it is new, and other requests run meanwhile", async () => {
  const hooks: WriteHooks = {
    beforeImport: ({ buckets, ...write }) => ({
      ...write,
      buckets: buckets.map((bucket) => ({
        ...bucket,
        events: [...bucket.events.slice(1), { ...EVENT, duration: secondsToMicros(0) }],
      })),
    }),
  };
  await withBuckets({ hooks }, async (server) => {
    const events = Array.from({ length: 3 }, (_, n) => ({ timestamp: new Date(n).toISOString() }));
    const { eventsImported } = await server.import({ buckets: { i: { ...BUCKET, events } } });
    assert.is(eventsImported, 3);
    const found = await server.events.read("i", { order: "oldest" }).toArray();
    assert.equal(
      found.map(({ timestamp }) => timestamp),
      [1000, 2000, EVENT.timestamp],
    );
  });
});

test("writes that are not waited for reach the storage in the order of the calls", () =>
  withBuckets({}, async ({ buckets, events, heartbeat }) => {
    const all = await Promise.all([
      buckets.create("new", BUCKET),
      events.insert("new", EVENT),
      heartbeat("new", { timestamp: micros(9_000_000) }, "1s"),
      buckets.update("new", { client: "x" }),
      events.insert("new", { timestamp: micros(10_000_000) }),
    ]);
    assert.equal([(all[1] as { id: number }).id, all[2].id, (all[4] as { id: number }).id], [1, 2, 3]);
  }));

test("notices of a bucket come in the order of the writes, whatever kinds they are of", () =>
  withBuckets({}, async (server) => {
    const told: string[] = [];
    for (const name of ["event", "heartbeat", "bucket"] as const) {
      server.on(name, (notice) => {
        told.push(`${notice.bucketId}: ${"action" in notice ? `${name} ${notice.action}` : name}`);
      });
    }
    await server.events.insert("b", { ...EVENT, id: 7 });
    told.length = 0;
    await Promise.all([
      server.buckets.create("new", BUCKET),
      server.heartbeat("new", EVENT, "1s"),
      server.events.delete("b", 7),
      server.events.insert("b", { ...EVENT, id: 7 }),
      server.buckets.update("b", {}),
      server.events.delete("b", 7),
      server.buckets.delete("new"),
    ]);
    const of = (bucketId: string) => told.filter((line) => line.startsWith(`${bucketId}: `));
    assert.equal(of("new"), ["new: bucket created", "new: heartbeat", "new: bucket deleted"]);
    assert.equal(of("b"), ["b: event deleted", "b: event inserted", "b: bucket updated", "b: event deleted"]);
  }));

test("two users who import the same document at once bring it in once", async () => {
  const storage = memory();
  await withServer(
    { door: "process", storage, authorize: ({ header }) => allow({ user: header("x-user") }) },
    async ({ server }) => {
      const events = [{ timestamp: "2024-03-01", data: {} }];
      const body = { buckets: { shared: { ...BUCKET, events } } };
      const send = (user: string) => sendJson(server, "POST", "/api/0/import", body, { "x-user": user });
      await Promise.all([send("ada"), send("bob"), send("eve")]);
      assert.is(await server.events.count("shared"), 1);
    },
  );
});

test("notices of renames, retention and privacy rules for past events say whose request it was", () => {
  const authorize: ActivityServerOptions["authorize"] = ({ header }) => allow({ user: header("x-user") });
  return withServer({ door: "process", authorize }, async ({ server }) => {
    const told: unknown[] = [];
    server.on("change", ({ identity, kind }) => {
      told.push([(identity as { user?: string } | undefined)?.user, kind]);
    });
    await server.settings.put("retention_rules", [{ buckets: "*", keepDays: 1 }]);
    await server.buckets.create("b", BUCKET, [EVENT, { timestamp: "2249-01-01T00:00:00Z", data: { app: "x" } }]);
    told.length = 0;
    const rules = [{ when: { key: "app", equals: "x" }, then: "drop" }];
    for (const [path, body] of [
      ["buckets/b/rename", { to: "c" }],
      ["retention/run", undefined],
      ["privacy/apply", { rules }],
    ] as const) {
      assert.is((await sendJson(server, "POST", `/api/0/${path}`, body, { "x-user": "ada" })).status, 200, path);
    }
    const kinds = ["bucket-deleted", "bucket-created", "events-deleted", "events-written"];
    assert.equal(
      told,
      kinds.map((kind) => ["ada", kind]),
    );
  });
});

test("a promise of a listener that is no Promise of ours is looked after as well", async () => {
  await withBuckets({}, async (server, errors) => {
    const cause = new Error("of another realm");
    server.on("heartbeat", () => ({ then: (_: unknown, reject: (error: Error) => void) => reject(cause) }));
    await server.heartbeat("b", EVENT, "1s");
    await new Promise((resolve) => setImmediate(resolve));
    assert.is((errors.splice(0)[0] as Error).cause, cause);
  });
});

test("an unconfirmed deletion is refused before a hook hears of it", async () => {
  let called = 0;
  await withBuckets({ hooks: { beforeDeleteBucket: () => void called++ } }, async (server) => {
    assert.is((await ask(server, "DELETE", "/buckets/b"))[0], 401);
    assert.is(called, 0);
  });
});

test("listeners hear of every write that happened, whichever way it came, and of where it went and of what kind it was", async () => {
  const [told, changes]: [unknown[], unknown[]] = [[], []];
  await withBuckets({}, async (server) => {
    for (const name of NAMES) server.on(name, (notice) => told.push([name, notice]));
    server.on("change", (notice) => changes.push(notice));
    const beat = await server.heartbeat("b", EVENT, "1s");
    const [, [inserted]] = (await ask(server, "POST", "/buckets/b/events", [{ timestamp: "1970-01-02" }])) as [
      number,
      [{ id: number }],
    ];
    const stored = await server.events.get("b", inserted.id);
    await server.events.insert("b", []);
    await server.events.delete("b", stored.id as number);
    await server.events.delete("b", stored.id as number);
    await server.buckets.create("new", BUCKET, [EVENT]);
    await server.buckets.create("new", BUCKET);
    const [first] = await server.events.read("new").toArray();
    await server.buckets.update("new", { name: "n" });
    await server.buckets.delete("new");
    const imported = { ...BUCKET, events: [{ timestamp: "2024-03-01T10:00:00Z", duration: 1, data: {} }] };
    await server.import({ buckets: { b: imported, i: imported, other: BUCKET } });
    await server.settings.put("key", 1);
    await server.settings.delete("key");
    await server.close();
    const counts = { bucketsCreated: 1, bucketsMerged: 2, eventsImported: 2, eventsKnown: 0 };
    assert.equal(told, [
      ["heartbeat", { bucketId: "b", event: beat }],
      ["event", { action: "inserted", bucketId: "b", events: [stored] }],
      ["event", { action: "deleted", bucketId: "b", eventId: stored.id }],
      ["bucket", { action: "created", bucketId: "new" }],
      ["event", { action: "inserted", bucketId: "new", events: [first] }],
      ["bucket", { action: "updated", bucketId: "new" }],
      ["bucket", { action: "deleted", bucketId: "new" }],
      ["import", { ...counts, bucketIds: ["b", "i", "other"] }],
      ["close", {}],
    ]);
    assert.equal(changes, [
      { kind: "events-written", bucketId: "b" },
      { kind: "events-written", bucketId: "b" },
      { kind: "events-deleted", bucketId: "b" },
      { kind: "bucket-created", bucketId: "new" },
      { kind: "events-written", bucketId: "new" },
      { kind: "bucket-updated", bucketId: "new" },
      { kind: "bucket-deleted", bucketId: "new" },
      { kind: "events-written", bucketId: "b" },
      { kind: "bucket-created", bucketId: "i" },
      { kind: "events-written", bucketId: "i" },
      { kind: "setting", key: "key" },
      { kind: "setting", key: "key" },
    ]);
  });
});

test("listeners hear of a write only when it is durable, and not at all when it fails", async () => {
  const inner = memory();
  let finish = (_failure?: Error): void => undefined;
  const storage: Storage = {
    ...inner,
    async heartbeat(...given) {
      await new Promise<void>((resolve, reject) => {
        finish = (failure) => (failure ? reject(failure) : resolve());
      });
      return inner.heartbeat(...given);
    },
  };
  await withBuckets({ storage }, async (server) => {
    let told = 0;
    server.on("heartbeat", () => told++);
    const first = server.heartbeat("b", EVENT, "1s");
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(told, 0);
    finish();
    await first;
    assert.is(told, 1);
    const second = server.heartbeat("b", EVENT, "1s");
    await new Promise((resolve) => setImmediate(resolve));
    finish(new Error("disk is full"));
    await second.then(
      () => assert.unreachable(),
      () => undefined,
    );
    assert.is(told, 1);
  });
});

test("a listener that fails is logged, and neither the write nor the other listeners notice", async () => {
  await withBuckets({}, async (server, errors) => {
    const told: string[] = [];
    server.on("heartbeat", () => {
      throw new Error("at once");
    });
    server.on("heartbeat", async () => Promise.reject(new Error("later")));
    server.on("heartbeat", () => told.push("third"));
    await server.heartbeat("b", EVENT, "1s");
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(told, ["third"]);
    assert.equal(
      (errors.splice(0) as Error[]).map(({ message, cause }) => [message, (cause as Error).message]),
      [
        ["a listener of 'heartbeat' failed", "at once"],
        ["a listener of 'heartbeat' failed", "later"],
      ],
    );
  });
});

test("a listener stops when it is told to, even when it listens twice", async () => {
  await withBuckets({}, async (server) => {
    let told = 0;
    const listener = (): void => void told++;
    const stop = server.on("heartbeat", listener);
    server.on("heartbeat", listener);
    await server.heartbeat("b", EVENT, "1s");
    stop();
    stop();
    await server.heartbeat("b", EVENT, "1s");
    assert.is(told, 3);
  });
});

test("unknown names of hooks and notices are refused with those that there are", async () => {
  const storage = memory();
  assert.throws(
    () => createActivityServer({ storage, hooks: { beforeHeartbeats: () => undefined } as unknown as WriteHooks }),
    /unknown hook beforeHeartbeats; valid hooks are beforeHeartbeat, /,
  );
  assert.throws(
    () => createActivityServer({ storage, hooks: { beforeInsert: 5 } as unknown as WriteHooks }),
    /hooks.beforeInsert must be a function/,
  );
  await withBuckets({}, async (server) => {
    assert.throws(
      () => server.on("toString" as "event", () => undefined),
      /name must be one of event, .*, got 'toString'/,
    );
    assert.throws(() => server.on("event", 5 as unknown as () => void), /listener must be a function/);
  });
});

test("a hook that changes a long list in place changes what is stored", () => {
  const hooks: WriteHooks = { beforeInsert: ({ events }) => void (events as unknown[]).pop() };
  return withBuckets({ storage: leveldb({ db: new MemoryLevel() as never }), hooks }, async (server) => {
    const events = Array.from({ length: 600 }, (_, second) => ({ timestamp: new Date(second * 1000), data: {} }));
    const [, stored] = await ask(server, "POST", "/buckets/b/events", events);
    assert.is((stored as unknown[]).length, 599);
    assert.is(await server.events.count("b"), 599);
  });
});

test.run();
