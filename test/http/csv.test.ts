// Tables as CSV; docs/guides/search.md#csv
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { eventsAsCsv } from "../../src/codec/serialize-csv.js";
import { EventBatch } from "../../src/domain/batch.js";
import { parseCsvRows } from "../../src/foreign/csv.js";
import type { EventInput } from "../../src/index.js";
import { type Send, withServer } from "../harness.js";
import { words } from "../words.js";
import { refusal } from "./client.js";
import { pausesDuring } from "./pauses.js";

const test = suite("CSV");

const CSV = { accept: "text/csv" };

async function table(send: Send, path: string, headers = CSV): Promise<string[][]> {
  const answer = await send("GET", path, undefined, headers);
  assert.is(answer.status, 200);
  assert.match(String(answer.headers["content-type"]), /^text\/csv; charset=utf-8; header=present$/);
  return [...parseCsvRows(answer.body.toString(), ",")];
}

const EVENTS: readonly EventInput[] = [
  { timestamp: "2024-03-01T10:00:00Z", duration: "1.5s", data: { app: "=cmd()", title: 'say "hi", you' } },
  {
    timestamp: "2024-03-01T10:00:02Z",
    duration: { seconds: -1 },
    data: { app: "ü\r\nb", tabs: -4, page: { host: "x", "a.b": [1] } },
  },
  { timestamp: "2024-03-01T10:00:03Z", duration: "0s", data: { id: 7, on: true, none: null, deep: {} } },
];

test("writes events of a bucket with a column for each key of their data", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EVENTS);
    const wanted = [
      words`id timestamp duration app data.id deep none on page."a.b" page.host tabs title`,
      ["3", "2024-03-01T10:00:03+00:00", "0", "", "7", "{}", "", "true", "", "", "", ""],
      ["2", "2024-03-01T10:00:02+00:00", "-1", "ü\r\nb", "", "", "", "", "[1]", "x", "-4", ""],
      ["1", "2024-03-01T10:00:00+00:00", "1.5", "'=cmd()", "", "", "", "", "", "", "", 'say "hi", you'],
    ];
    assert.equal(await table(send, "/api/0/buckets/b/events"), wanted);
    assert.equal(await table(send, "/api/0/buckets/b/events?format=csv", {} as typeof CSV), wanted);
    const [head, only] = await table(send, "/api/0/buckets/b/events?filter=title~say&limit=5");
    assert.equal([head?.length, only?.[0]], [5, "1"]);
    const none = await send("GET", "/api/0/buckets/b/events?filter=nothing", undefined, CSV);
    assert.is(none.body.toString(), "id,timestamp,duration\r\n");
    assert.is(none.headers["content-disposition"], 'attachment; filename="b.csv"');
  }));

test("writes what a search finds, and its groups", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EVENTS);
    assert.equal(await table(send, "/api/0/search?filter=say"), [
      ["bucket", "id", "timestamp", "duration", "app", "title"],
      ["b", "1", "2024-03-01T10:00:00+00:00", "1.5", "'=cmd()", 'say "hi", you'],
    ]);
    assert.equal(await table(send, "/api/0/search?group=app&limit=1"), [
      ["key", "events", "seconds", "first", "last"],
      ["'=cmd()", "1", "1.5", "2024-03-01T10:00:00+00:00", "2024-03-01T10:00:01.500000+00:00"],
    ]);
  }));

test("writes results of queries that are tables, and refuses others", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EVENTS);
    const ask = async (line: string, periods: readonly string[]) =>
      send("POST", "/api/0/query", { timeperiods: periods, query: [line] }, CSV);
    const day = "2024-03-01/2024-03-02";
    const whole = (await ask('RETURN = limit_events(query_bucket("b"), 1);', [day])).body.toString();
    assert.match(whole, /^id,timestamp,duration,data.id,deep,none,on\r\n3,2024-03-01T10:00:03\+00:00,0,7,/);
    const dicts = (await ask('RETURN = [{"a": 1, "b": "x"}, {"b": "-y"}];', [day, day])).body.toString();
    assert.is(dicts, `timeperiod,a,b\r\n${day},1,x\r\n${day},,'-y\r\n${day},1,x\r\n${day},,'-y\r\n`);
    assert.match(refusal(await ask("RETURN = 1;", [day]), 400), /the result is not a table/);
    assert.match(refusal(await ask("RETURN = [1];", [day]), 400), /the result is not a table/);
  }));

test("answers JSON to whoever does not prefer a table", () =>
  withServer({ buckets: ["b"] }, async ({ send }) => {
    const others = ["application/json, text/csv", "text/csv;q=0.5, */*", "text/csv;q=0"];
    for (const accept of ["*/*", "text/html", "", ...others]) {
      const { headers } = await send("GET", "/api/0/buckets/b/events", undefined, { accept });
      assert.is(headers["content-type"], "application/json", accept);
    }
    for (const accept of ["text/csv, */*;q=0.1", "Text/CSV", "text/html, text/csv"]) {
      const { headers } = await send("GET", "/api/0/buckets/b/events", undefined, { accept });
      assert.match(String(headers["content-type"]), /^text\/csv/, accept);
    }
  }));

test("keeps data of very many keys together", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    const data = Object.fromEntries(Array.from({ length: 300 }, (_, key) => [`k${key}`, key]));
    await server.events.insert("b", { timestamp: "2024-03-01", data });
    const [head, row] = await table(send, "/api/0/buckets/b/events");
    assert.equal(head, ["id", "timestamp", "duration", "data"]);
    assert.equal(JSON.parse(row?.[3] ?? ""), data);
  }));

async function* batchesOf(batch: EventBatch): AsyncGenerator<EventBatch> {
  yield batch;
}

test("a table of many events lets others be served while its columns are found, and while it is made", async () => {
  const events = Array.from({ length: 8_192 }, (_, at) => ({
    ...{ id: at + 1, timestamp: at, duration: 1 },
    data: { title: `title ${at}` },
  }));
  const batch = EventBatch.from(events);
  const [pauses, text] = await pausesDuring(async () => {
    let table = "";
    for await (const chunk of eventsAsCsv(async () => batchesOf(batch))) table += chunk;
    return table;
  });
  assert.is(text.split("\r\n").length, events.length + 2);
  assert.ok(pauses >= 2 * 16, String(pauses));
});

test.run();
