// All data of a person in one document.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { textOf } from "../client/failure-of.js";
import { codesIn, tableOf } from "../readme/markdown.js";
import { BUCKET, finish, onEach } from "../trash/grounds.js";

const test = suite("exportAll");

const MARKS = ["kept", "gone", "one event", "setting", "wall", "desk"];

function eventsOf(title: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(Date.UTC(2024, 0, 1) + index * 60_000),
    duration: { seconds: 30 },
    data: { title: `${title} ${index} "ü\u2028` },
  }));
}

test("it has everything, and an import takes its buckets", () =>
  onEach(async ({ name, open }) => {
    const server = open();
    await server.buckets.create("kept", { ...BUCKET, hostname: "desk" }, eventsOf("kept", 2_500));
    await server.buckets.create("empty", BUCKET);
    await server.buckets.create("gone", BUCKET, eventsOf("gone", 300));
    await server.buckets.delete("gone");
    const one = await server.events.insert("kept", {
      timestamp: "2025-01-01",
      duration: "1s",
      data: { t: "one event" },
    });
    await server.events.delete("kept", one.id as number);
    await server.buckets.setAccess("empty", "read-only");
    await server.settings.put("setting", { nested: ["setting"] });
    const { key } = await server.keys.add({ name: "wall", scopes: ["read:*"] });
    await server.identity.rename("empty", { to: "blank" });
    const text = await textOf(server.exportAll());
    for (const mark of MARKS) assert.ok(text.includes(mark), `${mark} on ${name}`);
    const document = JSON.parse(text);
    assert.equal(
      Object.keys(document).sort(),
      tableOf("docs/reference/account-document.md", "Member")
        .flatMap(([cell]) => codesIn(cell))
        .sort(),
    );
    assert.equal([document.format, document.version], ["activity-server-account", 1]);
    assert.equal(Object.keys(document.buckets).sort(), ["blank", "kept"]);
    assert.is(document.buckets.kept.events.length, 2_500);
    assert.equal(document.settings, { setting: { nested: ["setting"] } });
    assert.equal(document.access, { blank: "read-only" });
    assert.equal(
      document.redirects.map(({ from, to }: Record<string, string>) => [from, to]),
      [["empty", "blank"]],
    );
    const [{ name: keyName, scopes }] = document.keys;
    assert.equal([keyName, scopes], ["wall", ["read:*"]]);
    const [event, bucket] = ["events", "bucket"].map((kind) =>
      document.trash.find((entry: { kind: string }) => entry.kind === kind),
    );
    assert.equal(
      event.contents.map(({ id, events }: { id: string; events: unknown[] }) => [id, events.length]),
      [["kept", 1]],
    );
    assert.equal(event.contents[0].events[0].data, { t: "one event" });
    assert.is(bucket.contents[0].id, "gone");
    assert.is(bucket.contents[0].events.length, 300);
    assert.not(text.includes(key), "the secret of a key");
    assert.not.match(text, /hash|salt/);

    const other = createActivityServer({ storage: memory() });
    const { eventsImported } = await other.import(text);
    assert.is(eventsImported, 2_500);
    await other.close();
  }));

test("an empty storage is a document, too", () =>
  onEach(async ({ open }) => {
    const document = JSON.parse(await textOf(open().exportAll()));
    assert.equal([document.buckets, document.trash, document.keys], [{}, [], []]);
  }));

test("it is read while it is taken, and stops with its reader", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("kept", BUCKET, eventsOf("kept", 2_500));
    for await (const chunk of server.exportAll()) {
      assert.ok(chunk.startsWith("{"));
      break;
    }
    await server.close();
  }));

test("the storages of the suite end", finish);

test.run();
