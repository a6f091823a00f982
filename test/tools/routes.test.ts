import { createHmac } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { ActivityError, type ActivityServerOptions } from "../../src/index.js";
import type { StorageHealth } from "../../src/storage/health.js";
import type { Storage } from "../../src/storage/storage.js";
import { checkedFetch } from "../api/answer-check.js";
import { withServer } from "../harness.js";
import { bytesOf, filled, itemsOf } from "./backups.js";

const test = suite("routes of the storage");

interface Asking {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Ask = (path: string, asking?: Asking) => Promise<Response>;

async function withAsk(
  options: Partial<Omit<ActivityServerOptions, "storage">> & { readonly storage?: Storage | undefined },
  body: (ask: Ask, storage: Storage) => Promise<void>,
): Promise<void> {
  const storage = options.storage ?? (await filled());
  await withServer({ door: "process", ...options, storage }, async ({ server }) => {
    await body((path, { method = "GET", key, headers = {} } = {}) => {
      const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
      return checkedFetch(
        `http://localhost${path}`,
        { method, headers: { ...headers, ...authorization } },
        server.fetch,
      );
    }, storage);
  });
}

/** A storage that says how it is. */
function ailing(health: StorageHealth): Storage {
  return Object.assign(memory(), { health: () => health });
}

const BACKUP = "/api/0/storage/backup";
const VERIFY = "/api/0/storage/verify";
const POST = { method: "POST" };
const CONTROL = { controlToken: "token" };

test("everybody learns whether all is well, and no more", async () => {
  for (const options of [{}, { apiKey: "secret" }, CONTROL, { ...CONTROL, apiKey: "secret" }]) {
    await withAsk(options, async (ask) => {
      for (const key of [undefined, "", "wrong", "undefined"]) {
        const answer = await ask("/api/0/health", key === undefined ? {} : { key });
        assert.is(answer.status, 200);
        assert.equal(await answer.json(), { status: "ok" });
      }
    });
  }
});

test("to a challenge a server proves its control token, whoever asks", async () => {
  const token = "a token of thirty-two characters";
  const challenge = "q2Yx0Vd8KQhWm4tT7bRZ1A";
  const proof = createHmac("sha256", token).update(`server ${challenge}`).digest("hex");
  await withAsk({ controlToken: token }, async (ask) => {
    const answer = await ask(`/api/0/health?challenge=${challenge}`);
    assert.equal(await answer.json(), { status: "ok", proof });
    for (const other of ["", "short", "x".repeat(129), "server%201234567890123"]) {
      const refused = await ask(`/api/0/health?challenge=${other}`);
      assert.is(refused.status, 400, other);
      assert.match(((await refused.json()) as { message: string }).message, /^challenge must be /);
    }
  });
  for (const options of [{}, CONTROL, { apiKey: token }]) {
    await withAsk(options, async (ask) => {
      const answer = await ask(`/api/0/health?challenge=${challenge}`);
      assert.equal(await answer.json(), { status: "ok" });
    });
  }
});

test("with the token or the key the state of the storage is told", async () => {
  const storage = ailing({
    state: "read-only",
    refusal: "no space",
    problems: [
      { kind: "damaged", message: "a segment", bucketId: "b" },
      { kind: "dropped", message: "the log" },
    ],
    lastFailure: { at: 1_709_280_000_000, message: "away" },
    lastScrub: 1_709_283_600_000,
    encrypted: true,
    disk: { freeBytes: 1, totalBytes: 3, minFreeBytes: 2 },
  });
  await withAsk({ ...CONTROL, apiKey: "secret", storage }, async (ask) => {
    assert.equal(await (await ask("/api/0/health")).json(), { status: "degraded" });
    for (const key of ["token", "secret"]) {
      const { memory: caches, ...shown } = (await (await ask("/api/0/health", { key })).json()) as { memory: object };
      assert.equal(Object.keys(caches), ["limit_bytes", "used_bytes", "caches"]);
      assert.equal(shown, {
        status: "degraded",
        storage: {
          adapter: "memory",
          durability: "nothing",
          state: "read-only",
          refusal: "no space",
          problems: [
            { kind: "damaged", message: "a segment", bucket_id: "b" },
            { kind: "dropped", message: "the log" },
          ],
          last_failure: { time: "2024-03-01T08:00:00+00:00", message: "away" },
          last_scrub: "2024-03-01T09:00:00+00:00",
          encrypted: true,
          disk: { free_bytes: 1, total_bytes: 3, min_free_bytes: 2 },
        },
      });
    }
  });
});

test("a storage that tells nothing about itself is sound", async () => {
  const storage = { ...memory(), health: undefined } as unknown as Storage;
  await withAsk({ ...CONTROL, storage }, async (ask) => {
    const { storage: told } = (await (await ask("/api/0/health", { key: "token" })).json()) as Record<string, unknown>;
    assert.equal(told, {
      ...{ adapter: "memory", durability: "nothing", state: "ok", refusal: null, problems: [] },
      ...{ last_failure: null, last_scrub: null, encrypted: null, disk: null },
    });
  });
});

// Which secrets pass is shown by test/http/control, and on each route by test/access/matrix.
test("without a token and a key the storage has no routes", async () => {
  for (const options of [{}, { controlToken: "", apiKey: "" }]) {
    await withAsk(options, async (ask) => {
      for (const asking of [{}, { key: "" }, { key: "undefined" }, { key: "token" }]) {
        assert.is((await ask(BACKUP, asking)).status, 404);
        assert.is((await ask(BACKUP, { ...asking, method: "HEAD" })).status, 404);
        assert.is((await ask(VERIFY, { ...asking, ...POST })).status, 404);
      }
    });
  }
});

test("a server with a token alone asks nobody for a key", () =>
  withAsk({ ...CONTROL, storage: memory() }, async (ask) => {
    assert.is((await ask("/api/0/buckets")).status, 200);
    assert.is((await ask("/api/0/buckets", { key: "wrong" })).status, 200);
  }));

test("the backup is that of the storage", () =>
  withAsk(CONTROL, async (ask, storage) => {
    const answer = await ask(BACKUP, { key: "token" });
    assert.is(answer.headers.get("content-type"), "application/x-ndjson");
    assert.match(answer.headers.get("content-disposition") ?? "", /attachment; filename=activity-server-backup.jsonl/);
    const items = await itemsOf([new Uint8Array(await answer.arrayBuffer())]);
    async function* again() {
      yield* items;
    }
    assert.ok((await bytesOf(again())).equals(await bytesOf(storage.backup())));
  }));

test("a verification tells progress, problems and the end", async () => {
  const storage = Object.assign(await filled(), {
    async verify(onProgress: Parameters<Storage["verify"]>[0]) {
      onProgress?.({ doneBytes: 1, totalBytes: 2 });
      await Promise.resolve();
      return { problems: [{ kind: "missing" as const, message: "m" }], buckets: 3, events: 4, bytes: 5 };
    },
  });
  await withAsk({ ...CONTROL, storage }, async (ask) => {
    const lines = (await (await ask(VERIFY, { ...POST, key: "token" })).text()).trimEnd().split("\n");
    assert.equal(
      lines.map((line) => JSON.parse(line)),
      [
        { event: "progress", doneBytes: 1, totalBytes: 2 },
        { event: "problem", kind: "missing", message: "m" },
        { event: "verified", sound: false, problems: 1, buckets: 3, events: 4, bytes: 5 },
      ],
    );
  });
});

test("a verification that fails says so in its last line, without what is not for clients", async () => {
  for (const [thrown, line] of [
    [new ActivityError("STORAGE_FAILED", "no"), { event: "error", code: "STORAGE_FAILED", message: "no" }],
    [new Error("/home/secret"), { event: "error", message: "internal error" }],
  ] as const) {
    const storage = Object.assign(memory(), { verify: () => Promise.reject(thrown) });
    await withAsk({ ...CONTROL, storage }, async (ask) => {
      assert.equal(JSON.parse(await (await ask(VERIFY, { ...POST, key: "token" })).text()), line);
    });
  }
});

test.run();
