// Work over many events has a deadline, and a slot among the queries.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { parseTerm } from "../../src/filter/term.js";
import { createFilter } from "../../src/service/search/filters.js";
import { BUCKET, inTime, withServer } from "../harness.js";
import { event, json, refusal, until } from "./client.js";
import { door, watched } from "./storages.js";

const test = suite("long work");

const RANGE = { start: "2024-01-01", end: "2025-01-01" };

/** What goes through stored events. */
const WORK: Readonly<Record<string, readonly [method: string, path: string, body?: object]>> = {
  "a search": ["GET", "/api/0/search?filter=title~x"],
  "a search without time away": ["GET", "/api/0/search?filter=title~x&active=true"],
  "a grouped search": ["GET", "/api/0/search?filter=title~x&group=app"],
  "a search as a table": ["GET", "/api/0/search?filter=title~x&format=csv"],
  "events by a filter": ["GET", "/api/0/buckets/b/events?filter=title~x"],
  "events by a filter as a table": ["GET", "/api/0/buckets/b/events?filter=title~x&format=csv"],
  "a count by a filter": ["GET", "/api/0/buckets/b/events/count?filter=title~x"],
  "a timeline": ["GET", "/api/0/buckets/b/timeline?bins=10"],
  "a preview of a deletion": ["POST", "/api/0/buckets/b/events/delete?preview=true", { filter: ["title~x"] }],
  "a deletion": ["POST", "/api/0/events/delete", { ...RANGE, filter: ["title~x"] }],
  "a preview of privacy rules": [
    "POST",
    "/api/0/privacy/preview",
    { rules: [{ when: { buckets: "b" }, then: "drop" }] },
  ],
};

for (const [name, [method, path, body]] of Object.entries(WORK)) {
  test(`${name} has the time of a query`, () =>
    withServer({ queryLimits: { timeMillis: 1e-9 } }, async ({ send, storage }) => {
      json(await send("POST", "/api/0/buckets/b", BUCKET));
      json(await send("POST", "/api/0/buckets/afk", { ...BUCKET, type: "afkstatus" }));
      json(await send("POST", "/api/0/buckets/b/events", [event(0), event(1)]));
      json(await send("POST", "/api/0/buckets/afk/events", [event(0, { status: "not-afk" })]));
      const refused = await send(method, path, body);
      assert.match(refusal(refused, 503), "queryLimits.timeMillis");
      assert.is(await storage.countEvents("b"), 2);
    }));
}

test("eight filtered reads and counts go through events at a time, and the others wait", async () => {
  const gate = door();
  const storage = watched(memory(), { beforeBatch: () => gate.opened });
  await withServer({ storage, buckets: ["b"] }, async ({ server }) => {
    await server.events.insert("b", { timestamp: new Date(0), data: { title: "x" } });
    const paths = ["/api/0/buckets/b/events?filter=title~x", "/api/0/buckets/b/events/count?filter=title~x"];
    const asked = Array.from({ length: 20 }, async (_, index) => {
      const answer = await server.fetch(paths[index % 2] as string);
      return [answer.status, await answer.text()];
    });
    await until(() => storage.reads.begun === 8, "eight reads");
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.is(storage.reads.begun, 8);
    gate.open();
    for (const [status, text] of await inTime(Promise.all(asked), "the others")) assert.is(status, 200, String(text));
  });
});

/** How often the event loop goes round until work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  let turns = 0;
  for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
  await done;
  return turns;
}

test("thousands of categories are compiled in slices, and once", async () => {
  const storage = memory();
  const terms = [parseTerm("category:Work")];
  const rule = (index: number) => ({ type: "regex", regex: `(editor|${"word ".repeat(10)}${index})+x?` });
  const classes = Array.from({ length: 2000 }, (_, index) => ({ name: ["Work", `${index}`], rule: rule(index) }));
  await storage.settings.put("classes", classes);
  const turns = await turnsDuring(createFilter(storage, terms, ["window"]));
  assert.ok(turns > 10, `${turns} turns`);
  const again = await turnsDuring(createFilter(storage, terms, ["window"]));
  assert.ok(again < 5, `${again} turns for the same`);
  await storage.settings.put("classes", [{ name: ["Work"], rule: { type: "regex", regex: "changed" } }]);
  assert.is((await createFilter(storage, terms, ["window"])).test({ title: "changed" }), true);
});

test.run();
