// What the page makes of files that somebody chooses.
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { countLines, summed } from "../../src/web/views/buckets/import-counts.js";
import { documentsOf } from "../../src/web/views/buckets/import-documents.js";
import { withServer } from "../harness.js";

const test = suite("files for the page");

const EVENT = { timestamp: "2024-03-01T10:00:00+00:00", duration: 2, data: { app: "a" } };
const BUCKET = { id: "window", type: "t", client: "c", hostname: "h", events: [EVENT] };

/** Sends what becomes of a file to a server. @returns the events of its buckets */
async function sent(name: string, content: BlobPart): Promise<Record<string, readonly unknown[]>> {
  return withServer({ door: "process" }, async ({ server }) => {
    for (const { body } of await documentsOf(new File([content], name))) {
      const headers = { "content-type": "application/json" };
      const url = "http://localhost/api/0/import";
      const response = await server.fetch(new Request(url, { method: "POST", headers, body: await body.text() }));
      assert.is(response.status, 200, await response.text());
    }
    const exported = await server.fetch(new Request("http://localhost/api/0/export"));
    const { buckets } = (await exported.json()) as { buckets: Record<string, typeof BUCKET> };
    return Object.fromEntries(Object.values(buckets).map(({ id, events }) => [id, events]));
  });
}

const FILES: readonly (readonly [name: string, content: BlobPart])[] = [
  ["export.json", JSON.stringify({ buckets: { window: BUCKET } })],
  ["marked.json", `\ufeff${JSON.stringify(BUCKET, null, 1)}`],
  ["utf-16.json", new Uint8Array(Buffer.from(`\ufeff${JSON.stringify({ buckets: { window: BUCKET } })}`, "utf16le"))],
  ["utf-16.json.gz", new Uint8Array(gzipSync(Buffer.from(JSON.stringify([BUCKET]), "utf16le").swap16()))],
  ["old.json", JSON.stringify({ window: BUCKET })],
  ["list.json", JSON.stringify([BUCKET])],
  ["export.json.gz", new Uint8Array(gzipSync(JSON.stringify({ buckets: { window: BUCKET } })))],
  ["window.csv", "timestamp,duration,app\n2024-03-01T10:00:00Z,2,a\n"],
  ["window.json", JSON.stringify([EVENT])],
  ["dump.csv", "bucket;start;end;app\nwindow;2024-03-01T10:00:00Z;2024-03-01T10:00:02Z;a\n"],
];

for (const [name, content] of FILES) {
  test(`${name} becomes an export of the bucket`, async () => {
    assert.equal(await sent(name, content), { window: [EVENT] });
  });
}

test("many events become several documents of one bucket, and equal ones stay together", async () => {
  const lines = Array.from({ length: 45_000 }, (_, n) => `${1_709_287_200 + Math.floor(n / 3)},a`);
  const documents = [...(await documentsOf(new File([`start,app\n${lines.join("\n")}\nnever,b`], "many.csv")))];
  assert.equal(
    documents.map(({ isContinued, invalid }) => [isContinued, invalid]),
    [
      [false, 1],
      [true, 0],
      [true, 0],
    ],
  );
  assert.is(documents[0]?.from, 0);
  assert.is(documents.at(-1)?.to, 1);
  const { many = [] } = await sent("many.csv", `start,app\n${lines.join("\n")}`);
  assert.is(many.length, 45_000);
});

test("what the page cannot read is refused with the command that can", async () => {
  const backup = '{"kind":"backup","format":"activity-server-backup","version":1}\n';
  for (const content of ["SQLite format 3\u0000 and so on", backup]) {
    const thrown: unknown = await documentsOf(new File([content], "x")).catch((error: unknown) => error);
    assert.match(String(thrown), /To import it, run activity-server import --from FILE/);
  }
});

test("the counts of several documents are added", () => {
  const counts = {
    buckets_created: 1,
    buckets_merged: 0,
    events_imported: 2,
    events_already_there: 3,
    events_invalid: 4,
  };
  assert.equal(summed([counts, { ...counts, buckets_created: 0 }]), {
    buckets_created: 1,
    buckets_merged: 0,
    events_imported: 4,
    events_already_there: 6,
    events_invalid: 8,
  });
});

test("what privacy rules left out or changed is added and shown, if there was any", () => {
  const counts = {
    buckets_created: 1,
    buckets_merged: 0,
    events_imported: 2,
    events_already_there: 0,
    events_invalid: 0,
  };
  const labels = countLines(counts).map(([label]) => label);
  assert.equal(labels.length, 5);
  const all = summed([counts, { ...counts, events_dropped: 3, events_changed: 1 }, { ...counts, events_dropped: 2 }]);
  assert.equal(countLines(all).slice(5), [
    ["Dropped by privacy rules", 5],
    ["Changed by privacy rules", 1],
  ]);
});

test.run();
