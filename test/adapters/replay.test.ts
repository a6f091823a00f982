// Version 0.2 could write down a commit's place in the log one batch too late: in the log that was begun right after it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { addSum } from "../../adapters/segments/checksum.js";
import { bucketKey, ROOT_KEY, settingKey } from "../../adapters/segments/keys.js";
import { committedLine, memtableLine, recordLine } from "../../adapters/segments/log-codec.js";
import { NEW_ROOT, serializeRoot } from "../../adapters/segments/root.js";
import { loadState } from "../../adapters/segments/state.js";
import { bucketOf } from "../contract/case.js";

const test = suite("replay");

test("a log whose snapshot says that the latest commit counted is read as a whole", async () => {
  const key = bucketKey(1);
  const place = { commit: 3, sequence: 9 };
  const record = addSum(
    key,
    JSON.stringify({ bucket: bucketOf("a"), ...place, entries: 0, digest: 0, nextSegmentNo: 0 }),
  );
  const root = serializeRoot({
    ...NEW_ROOT,
    number: 3,
    logged: place,
    nextBucketNo: 2,
    records: 1,
    digest: record.sum,
  });
  const event = { id: 1, timestamp: 5, duration: 0, data: {} };
  const lines = [committedLine(3), recordLine(settingKey("theme"), "dark"), memtableLine(1, undefined, [event])];
  const state = await loadState(
    {
      root: addSum(ROOT_KEY, root).stored,
      records: [[key, record.stored]],
      entries: [],
      log: [{ sequence: 9, text: lines.join("\n") }],
      problems: () => [],
    },
    "the store",
  );
  assert.equal(state.problems, []);
  assert.is(state.values.get(settingKey("theme")), "dark");
  assert.equal(state.buckets.get("a")?.memtable.events, [event]);
});

test.run();
