// What clients are told when the storage cannot do its work: status, message, and never a path of the server.
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { ActivityError, type ErrorCode, type Storage } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";
import { checkedFetch } from "../api/answer-check.js";
import { BUCKET, withServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { door } from "./storages.js";

const test = suite("failures of the storage over HTTP");

const EVENT = { timestamp: "2024-03-01T10:00:00Z", duration: 1, data: { app: "a" } };
const FULL = "no space left, nothing of this was stored";
const DAMAGE = "bucket 'b' is damaged from 2024-03-01T00:00:00+00:00 to 2024-03-02T00:00:00+00:00";

interface Failure {
  readonly code: ErrorCode;
  /** Of the error that the storage rejects with. */
  readonly message: string;
  readonly status: number;
  /** What the client reads. */
  readonly told: string;
}

const FAILURES: readonly Failure[] = [
  { code: "STORAGE_FULL", message: FULL, status: 507, told: FULL },
  { code: "STORAGE_FULL", message: "ENOSPC: write '/home/jo/data/wal'", status: 507, told: FULL },
  { code: "STORAGE_FAILED", message: "it may be stored", status: 503, told: "it may be stored" },
  { code: "STORAGE_FAILED", message: "EIO: C:\\data\\wal", status: 503, told: "the storage could not do this" },
  { code: "STORAGE_CORRUPT", message: DAMAGE, status: 500, told: DAMAGE },
  { code: "STORAGE_CORRUPT", message: "cannot read ./data/1.ldb", status: 500, told: "stored data is damaged" },
  { code: "STORAGE_UNUSABLE", message: "folder data: no", status: 500, told: "the storage cannot be opened" },
];

/** A storage with the bucket `b`, whose events cannot be read or written. */
async function failing(error: Error): Promise<Storage> {
  const inner = memory();
  await inner.createBucket({ ...BUCKET, id: "b", name: null, created: 0, data: {} });
  const fail = (): Promise<never> => Promise.reject(error);
  return { ...inner, read: fail, countEvents: fail, putEvents: fail, mergeEvents: fail, heartbeat: fail };
}

for (const { code, message, status, told } of FAILURES) {
  test(`${code} '${message}' is answered ${status}`, async () => {
    const error = new ActivityError(code, message);
    await withServer({ storage: await failing(error) }, async ({ send, errors }) => {
      const events = "/api/0/buckets/b/events";
      const answers = [
        await send("POST", events, [EVENT]),
        await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", EVENT),
        await send("POST", "/api/0/import", { buckets: { b: { ...BUCKET, id: "b", events: [EVENT] } } }),
        await send("GET", events),
        await send("GET", `${events}/count`),
        await send("GET", "/api/0/export"),
        await send("POST", "/api/0/query", {
          timeperiods: ["2024-03-01/2024-03-02"],
          query: ['RETURN = query_bucket("b");'],
        }),
      ];
      for (const { body, headers, status: answered } of answers) {
        assert.is(answered, status);
        assert.equal(JSON.parse(String(body)), { message: told, code });
        assert.is(headers["retry-after"], status === 503 ? "1" : undefined);
      }
      assert.equal(errors.splice(0), answers.fill(error as never));
    });
  });
}

test("a storage is opened by the first request, and a failed opening is tried again", () =>
  withFolder(async (folder) => {
    const data = path.join(folder, "data");
    await fs.writeFile(data, "a file where the folder is to be");
    await withServer({ door: "process", storage: leveldb({ path: data }) }, async ({ server, errors }) => {
      const buckets = (): Promise<Response> => checkedFetch("http://localhost/api/0/buckets", {}, server.fetch);
      const refused = await buckets();
      assert.is(refused.status, 500);
      assert.equal(await refused.json(), { message: "the storage cannot be opened", code: "STORAGE_UNUSABLE" });
      assert.match(String(errors.splice(0)), data);
      assert.is(await codeOf(server.listen({ port: 0 })), "STORAGE_UNUSABLE");
      await fs.rm(data);
      assert.equal(await (await buckets()).json(), {});
      await server.listen({ port: 0 });
    });
  }));

test("a storage that hangs does not delay the owner of the control token", async () => {
  const inner = memory();
  const gate = door();
  const records: Storage["records"] = (kind) => ({
    ...inner.records(kind),
    list: () => gate.opened.then(() => inner.records(kind).list()),
  });
  const storage = { ...inner, records };
  const controlToken = "c".repeat(40);
  await withServer({ storage, controlToken }, async ({ send }) => {
    const headers = { authorization: `Bearer ${controlToken}` };
    const health = JSON.parse(String((await send("GET", "/api/0/health", undefined, headers)).body));
    assert.is(health.storage.adapter, inner.traits.adapter);
    // Nor does it depend on keys what somebody without credentials may not do.
    assert.is((await send("GET", "/api/0/keys")).status, 401);
    gate.open();
  });
});

test.run();
