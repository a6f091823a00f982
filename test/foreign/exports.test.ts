// Exports of every shape, backups, and files of other programs.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { importSettings } from "../../src/cli/import/settings.js";
import { LaunchError } from "../../src/cli/launch-error.js";
import type { JsonValue } from "../../src/domain/json.js";
import { withFolder } from "../adapters/folder.js";
import { bytesOf, filled } from "../tools/backups.js";
import { exportOf, fixture, take, withClient } from "./importing.js";

const test = suite("import of files");

/** Imports a text. @returns the events of each bucket, without what a server adds */
async function imported(text: string | Uint8Array, bucketId?: string): Promise<Record<string, readonly unknown[]>> {
  let result: Record<string, readonly unknown[]> = {};
  await withFolder(async (folder) => {
    const file = join(folder, "given");
    await writeFile(file, text);
    await withClient(async (client) => {
      await take(file, client, bucketId);
      const found = await exportOf(client);
      const bytes = JSON.stringify(found);
      await take(file, client, bucketId);
      assert.is(JSON.stringify(await exportOf(client)), bytes, "twice is not once");
      result = Object.fromEntries(Object.values(found).map(({ id, events }) => [id, events]));
    });
  });
  return result;
}

const EVENT = { timestamp: "2024-03-01T10:00:00+00:00", duration: 2, data: { app: "a" } };
const OLD = { timestamp: "2024-03-01T10:00:00.000Z", duration: 2 };
const META = { type: "t", client: "c", hostname: "h" };
const bucket = { id: "window", ...META, created: "2024-01-01T00:00:00Z", events: [{ id: 3, ...EVENT }, EVENT] };

const SHAPES: readonly (readonly [string, unknown])[] = [
  ["of both servers", { buckets: { window: bucket } }],
  ["without ids in the buckets", { buckets: { window: { ...META, events: [EVENT, EVENT] } } }],
  ["of old servers, the buckets alone", { window: bucket }],
  ["of a single bucket", bucket],
  ["of a list of buckets", [bucket]],
  ["of a list below buckets", { buckets: [bucket] }],
];

for (const [name, document] of SHAPES) {
  test(`an export ${name} comes over, indented or not`, async () => {
    assert.equal(await imported(JSON.stringify(document)), { window: [EVENT, EVENT] });
    assert.equal(await imported(`\ufeff${JSON.stringify(document, null, 2)}\n`), { window: [EVENT, EVENT] });
  });
}

test("events without data get empty ones; a compressed export is read as well", async () => {
  const events = [OLD, { ...EVENT, timestamp: "2024-03-02T00:00:00Z", data: null }];
  const document = { buckets: { a: { ...META, events }, b: { ...META, events: null }, c: { ...META } } };
  const empty = [
    { ...EVENT, timestamp: "2024-03-02T00:00:00+00:00", data: {} },
    { ...EVENT, data: {} },
  ];
  assert.equal(await imported(gzipSync(JSON.stringify(document))), { a: empty, b: [], c: [] });
  assert.equal(await imported(JSON.stringify([{ id: "a", ...META, events }])), { a: empty });
});

test("an export in UTF-16 is read, with and without a mark of its byte order", async () => {
  const events = [{ ...EVENT, data: { app: "Müller 🙂" } }];
  const text = JSON.stringify({ buckets: { a: { ...META, events } } });
  for (const mark of ["\ufeff", ""]) {
    const little = Buffer.from(`${mark}${text}`, "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16(), gzipSync(little)]) {
      assert.equal(await imported(bytes), { a: events });
    }
  }
});

test("a list of events goes to the bucket that is named", async () => {
  assert.equal(await imported(JSON.stringify([EVENT]), "mine"), { mine: [EVENT] });
});

test("a backup brings buckets, events and settings to a server that has others", () =>
  withFolder(async (folder) => {
    const file = join(folder, "b.jsonl.gz");
    await writeFile(file, gzipSync(await bytesOf((await filled()).backup())));
    await withClient(async (client) => {
      const { buckets, settings } = await take(file, client);
      // One of them lies where only a storage lets events be.
      const counts = Object.values(buckets).map(({ imported, invalid }) => imported + invalid);
      assert.is(
        counts.reduce((sum, count) => sum + count),
        2504,
      );
      assert.is(settings.taken.length + settings.refused.length, 2);
      const again = await take(file, client);
      assert.ok(Object.values(again.buckets).every((delivered) => delivered.imported === 0));
    });
  }));

test("settings of categories are taken all together, or not at all", () =>
  withClient(async (client) => {
    const own = [{ name: ["Own"], rule: { type: "none" } }];
    const others: Readonly<Record<string, JsonValue>> = {
      classes: own,
      category_sets: [{ id: "default", categories: own }],
      active_set_ids: ["default"],
    };
    const settings = new Map([...Object.entries(others), ["startOfDay", "05:00"]]);
    const classes = [{ name: ["Here"], rule: { type: "none" } }];
    await client.settings.put("classes", classes);
    const { taken, kept } = await importSettings(settings, client);
    assert.equal([taken, kept], [["startOfDay"], Object.keys(others)]);
    assert.equal(await client.settings.list(), { classes, startOfDay: "05:00" });
    // An import that broke off has set some of them.
    await client.settings.put("classes", own);
    assert.equal((await importSettings(settings, client)).taken, ["category_sets", "active_set_ids"]);
  }));

test("a dump of WakaTime becomes events that last until the next heartbeat", async () => {
  const at = (seconds: number, entity: string) => ({
    time: 1709287200 + seconds,
    entity,
    project: "p",
    lineno: seconds,
  });
  const days = [
    { date: "2024-03-01", heartbeats: [at(0, "a.ts"), at(60.5, "a.ts"), at(120, "b.ts")] },
    { date: "2024-03-02", heartbeats: [at(5000, "b.ts"), { entity: "no time" }] },
  ];
  const events = await imported(JSON.stringify({ user: { username: "me" }, range: {}, days }));
  assert.equal(events, {
    wakatime_me: [
      { timestamp: "2024-03-01T11:23:20+00:00", duration: 0, data: { file: "b.ts", project: "p" } },
      { timestamp: "2024-03-01T10:02:00+00:00", duration: 0, data: { file: "b.ts", project: "p" } },
      { timestamp: "2024-03-01T10:00:00+00:00", duration: 120, data: { file: "a.ts", project: "p" } },
    ],
  });
});

test("heartbeats and durations, as the APIs of WakaTime and Wakapi answer them", async () => {
  const data = [{ time: 1709287200.25, duration: 30.5, project: "p" }];
  const expected = [{ timestamp: "2024-03-01T10:00:00.250000+00:00", duration: 30.5, data: { project: "p" } }];
  assert.equal(await imported(JSON.stringify({ data, start: "x" })), { wakatime: expected });
  assert.equal(await imported(JSON.stringify({ days: [{ durations: data }] })), { wakatime: expected });
  const csv = 'time,entity,project\n2024-03-01T10:00:00Z,"a ""b"",\nc",p\n1709287260,x,p\n';
  assert.equal(await imported(csv), {
    wakatime: [
      { timestamp: "2024-03-01T10:01:00+00:00", duration: 0, data: { file: "x", project: "p" } },
      { timestamp: "2024-03-01T10:00:00+00:00", duration: 60, data: { file: 'a "b",\nc', project: "p" } },
    ],
  });
});

test("CSV: separators, quotes, ends, times of both kinds, JSON in data, buckets in a column", async () => {
  assert.equal(await imported("timestamp,duration,app\r\n2024-03-01T10:00:00Z,2,a\r\n", "window"), { window: [EVENT] });
  assert.equal(await imported("start;end;app\n1709287200;2024-03-01 10:00:02;a", "window"), { window: [EVENT] });
  const table = 'bucket\tstart\tdata\tapp\nx\t1709287200\t"{""n"":[1]}"\ta\ny\t1709287200\t\t\ny\tnever\t\tb\n';
  const at = { timestamp: EVENT.timestamp, duration: 0 };
  assert.equal(await imported(table), { x: [{ ...at, data: { n: [1], app: "a" } }], y: [{ ...at, data: {} }] });
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["", /is empty/],
  ["hello", /cannot be imported/],
  ['{"buckets":{"a":{"type":"t","events":[{}', /is not complete JSON: it ends too early/],
  ['{"a": 1}', /not a known export/],
  ["[1, 2]", /not a known export/],
  [JSON.stringify([EVENT]), /--bucket ID/],
  ["app,duration\na,1\n", /none of the columns timestamp/],
  ["start,app\n1709287200,a\n", /choose one with --bucket ID/],
  ['start,app\n1709287200,"a\n', /a field in quotes has no end/],
  ['{"user":{},"days":[{"date":"2024-03-01","grand_total":{}}]}', /only daily totals/],
];

for (const [text, reason] of REFUSED) {
  test(`refused, with the reason: ${text.slice(0, 40)}`, async () => {
    const thrown: unknown = await imported(text).catch((error: unknown) => error);
    assert.instance(thrown, LaunchError);
    assert.match((thrown as Error).message, reason);
  });
}

test("a large export is read in pieces, and says what is not valid", () =>
  withFolder(async (folder) => {
    const exported = JSON.parse(await readFile(fixture("peewee-export.json"), "utf8"));
    const list = exported.buckets["aw-watcher-window_desk"].events;
    const many = Array.from({ length: 20 }, (_, round) =>
      list.map((event: object) => ({ ...event, data: { round } })),
    ).flat();
    exported.buckets["aw-watcher-window_desk"].events = [{ timestamp: "never" }, ...many];
    const file = join(folder, "export.json");
    await writeFile(file, JSON.stringify(exported));
    await withClient(async (client) => {
      const { buckets } = await take(file, client);
      assert.equal(buckets["aw-watcher-window_desk"], {
        isNew: true,
        imported: many.length,
        known: 0,
        invalid: 1,
        dropped: 0,
        changed: 0,
      });
    });
  }));

test.run();
