// Deletion for good: no file of the data folder holds the text any more.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { filesWith, uniqueText } from "../adapters/traces.js";
import { BUCKET, type Ground, onFolders, onHostDatabases } from "./grounds.js";

const test = suite("deletion for good");

function drafts(text: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1) + index * 60_000),
    duration: { seconds: 30 },
    data: { title: index % 500 === 3 ? text : `page ${index}` },
  }));
}

async function playErasing({ folder, open }: Ground): Promise<void> {
  if (folder === undefined) return;
  const server = open();
  const [event, filtered, bucket, trashed, inline] = [
    uniqueText(),
    uniqueText(),
    uniqueText(),
    uniqueText(),
    uniqueText(),
  ];
  await server.buckets.create("a", BUCKET, [...drafts(filtered, 3000)]);
  const inserted = await server.events.insert("a", { timestamp: "2025-01-01", duration: "1s", data: { event } });
  const small = await server.events.insert("a", { timestamp: "2025-01-02", duration: "1s", data: { inline } });
  await server.buckets.create("b", { ...BUCKET, name: `name ${bucket}` }, drafts(bucket, 3000));
  await server.buckets.create("c", BUCKET, drafts(trashed, 3000));
  assert.ok(filesWith(folder, event).length > 0, "it is found before");

  await server.events.delete("a", inserted.id ?? 0, { permanent: true });
  assert.equal(filesWith(folder, event), [], "event");
  await server.events.deleteMatching("a", { filter: [`title=${filtered}`], permanent: true });
  assert.equal(filesWith(folder, filtered), [], "filtered");
  await server.buckets.delete("b", { permanent: true });
  assert.equal(filesWith(folder, bucket), [], "bucket");
  await server.buckets.delete("c");
  await server.events.delete("a", small.id ?? 0);
  assert.ok(filesWith(folder, inline).length > 0, "it is in the trash");
  await server.trash.empty();
  assert.equal([...filesWith(folder, trashed), ...filesWith(folder, inline)], []);
  assert.is(await server.events.count("a"), 3000 - 6);
  await server.close();
  assert.is(await open().events.count("a"), 3000 - 6);
}

test("an event, a filter, a bucket and an emptied trash leave no text in any file", () => onFolders(playErasing));

test("nor in any file of a database of the host", () => onHostDatabases(playErasing));

test.run();
