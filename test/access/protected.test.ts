// Protected buckets beyond the rule itself, which test/access/write-kinds shows for each kind of write.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { connect } from "../../src/client/index.js";
import { createActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { json, refusal } from "../http/client.js";
import { codeOf } from "../refusals.js";

const test = suite("protected buckets");

const ID = "diary";
const PATH = `/api/0/buckets/${ID}`;
const EVENT = { timestamp: "2024-03-01T10:00:00Z", duration: "5s", data: { a: 1 } } as const;
const BEAT = { timestamp: "2024-03-01T11:00:07Z", duration: 0, data: { a: 1 } };

test("a heartbeat extends the newest event of an append-only bucket, and changes no other", () =>
  withServer({ door: "process", buckets: [ID] }, async ({ server, send }) => {
    await server.events.insert(ID, [EVENT, { ...EVENT, timestamp: "2024-03-01T11:00:00Z" }]);
    const before = await server.events.read(ID).toArray();
    json(await send("PUT", `${PATH}/access`, { access: "append-only" }));
    json(await send("POST", `${PATH}/heartbeat?pulsetime=5`, BEAT));
    assert.equal(await server.events.read(ID).toArray(), [{ ...before[0], duration: 7_000_000 }, before[1]]);
  }));

test("a refusal says who can open the bucket, while the program and its clients are not bound", () =>
  withServer({ door: "process", buckets: [ID] }, async ({ server, send }) => {
    await server.buckets.setAccess(ID, "read-only");
    const message = refusal(await send("POST", `${PATH}/heartbeat?pulsetime=5`, BEAT), 403);
    assert.is(message, "bucket 'diary' is read-only; an operator can change its access to open");
    await server.events.insert(ID, EVENT);
    const client = connect(server);
    await client.heartbeat(ID, BEAT, 5);
    await client.buckets.setAccess(ID, "append-only");
    assert.is(await client.buckets.getAccess(ID), "append-only");
    await client.buckets.update(ID, { name: "mine" });
    assert.is(await codeOf(server.buckets.setAccess("none", "open")), "NO_SUCH_BUCKET");
  }));

test("records of buckets have no field for it, and it survives another server over the same storage", async () => {
  const storage = memory();
  await withServer({ door: "process", storage, buckets: [ID] }, async ({ server: first }) => {
    const before = await (await first.fetch(PATH)).text();
    await first.buckets.setAccess(ID, "read-only");
    assert.is(await (await first.fetch(PATH)).text(), before);
    assert.not(JSON.stringify(await (await first.fetch("/api/0/export")).json()).includes("read-only"));
    const second = createActivityServer({ storage });
    const beats = [1, 2, 3].map(() => sendJson(second, "POST", `${PATH}/heartbeat?pulsetime=5`, BEAT));
    // The first ones come before the access of buckets was read.
    assert.equal(
      (await Promise.all(beats)).map(({ status }) => status),
      [403, 403, 403],
    );
  });
});

test.run();
