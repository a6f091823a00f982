// A bucket that is protected while an import is in progress: the import adds nothing more to it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { BUCKET } from "../trash/grounds.js";

const test = suite("imports into buckets protected in the meantime");

const EVENTS = [{ timestamp: "2024-03-01T10:00:00Z", duration: 60, data: { app: "editor" } }];
const RECORD = { ...BUCKET, created: "2024-03-01T09:00:00Z", events: EVENTS };

for (const renamed of [false, true]) {
  test(`an import stops at a bucket that was made read-only${renamed ? " and renamed" : ""}`, async () => {
    const storage = memory();
    const mergeEvents = storage.mergeEvents.bind(storage);
    const server = createActivityServer({ storage });
    for (const id of ["first", "second"]) await server.buckets.create(id, BUCKET);
    let end = "second";
    storage.mergeEvents = async (bucketId, drafts) => {
      const stored = await mergeEvents(bucketId, drafts);
      if (bucketId !== "first") return stored;
      if (renamed) {
        end = "renamed";
        await server.identity.rename("second", { to: end });
      }
      await server.buckets.setAccess(end, "read-only");
      return stored;
    };
    const body = { buckets: { first: { ...RECORD, id: "first" }, second: { ...RECORD, id: "second" } } };
    assert.is((await sendJson(server, "POST", "/api/0/import", body)).status, 403);
    assert.equal([await server.events.count("first"), await server.events.count(end)], [1, 0]);
    await server.close();
  });
}

test.run();
