// Tables as CSV; docs/guides/search.md#csv
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../src/client/index.js";
import { eventsAsCsv } from "../../src/codec/serialize-csv.js";
import { EventBatch } from "../../src/domain/batch.js";
import { parseCsvRows } from "../../src/foreign/csv.js";
import type { EventInput } from "../../src/index.js";
import { BUCKET, type Send, withServer } from "../harness.js";
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

const EXPORTED: readonly EventInput[] = [
  { timestamp: "2024-03-01T10:00:00Z", duration: "1.5s", data: { title: 'say "hi", you', app: "=cmd()" } },
  {
    timestamp: "2024-03-01T10:00:02Z",
    duration: { seconds: -1 },
    data: { app: "ü\r\nb", page: { host: "x" }, tabs: -4, list: [1, "a"] },
  },
  { timestamp: "2024-03-01T10:00:03.25Z", data: { id: 7, on: true, none: null, "@key": "" } },
];

test("the export of a bucket has a column for each key of the data, in order of appearance", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EXPORTED);
    const answer = await send("GET", "/api/0/buckets/b/export/csv");
    assert.is(answer.status, 200);
    assert.match(String(answer.headers["content-type"]), /^text\/csv; charset=utf-8/);
    assert.is(answer.headers["content-disposition"], "attachment; filename=aw-events-export-b.csv");
    assert.is(
      answer.body.toString(),
      [
        "id,timestamp,duration,data.id,on,none,'@key,app,page,tabs,list,title",
        "3,2024-03-01T10:00:03.250000+00:00,0,7,true,,,,,,,",
        '2,2024-03-01T10:00:02+00:00,-1,,,,,"ü\r\nb","{""host"":""x""}",-4,"[1,""a""]",',
        '1,2024-03-01T10:00:00+00:00,1.5,,,,,\'=cmd(),,,,"say ""hi"", you"',
        "",
      ].join("\r\n"),
    );
  }));

test("the export selects as the list of events does", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EXPORTED);
    const rows = async (query: string) => {
      const answer = await send("GET", `/api/0/buckets/b/export/csv/?${query}`);
      return answer.body
        .toString()
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",").slice(0, 3));
    };
    const cut = await rows("start=2024-03-01T10:00:01Z&end=2024-03-01T10:00:03Z");
    assert.equal(cut.at(-1), ["1", "2024-03-01T10:00:01+00:00", "0.5"]);
    assert.equal(
      (await rows("limit=1")).map(([id]) => id),
      ["3"],
    );
    assert.equal(await rows("limit=0"), []);
    assert.match(refusal(await send("GET", "/api/0/buckets/z/export/csv"), 404), /z/);
  }));

test("the client takes a table in whatever pieces it comes", async () => {
  const table = "id,timestamp,duration,app\r\n1,2024-03-01T10:00:00+00:00,0,x\r\n";
  const inPieces = (text: string) =>
    createClient({
      fetch: async () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start(controller) {
              for (const byte of Buffer.from(text)) controller.enqueue(Uint8Array.of(byte));
              controller.close();
            },
          }),
        ),
    });
  const read = async (text: string): Promise<string> => {
    let all = "";
    for await (const piece of inPieces(text).buckets.exportCsv("b")) all += piece;
    return all;
  };
  assert.is(await read(table), table);
  for (const other of ["", "<!DOCTYPE html><title>a proxy</title>"]) {
    await read(other).then(
      () => assert.unreachable(`${other} is no table`),
      (thrown) => assert.is(thrown.code, "MALFORMED_RESPONSE"),
    );
  }
});

test("the export keeps data of more than 32 keys in one column of JSON", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    const dataOf = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${key}`, key]));
    await server.events.insert("b", { timestamp: "2024-03-01", data: dataOf(32) });
    const head = async () => (await send("GET", "/api/0/buckets/b/export/csv")).body.toString().split("\r\n");
    assert.equal((await head())[0], ["id,timestamp,duration", ...Object.keys(dataOf(32))].join(","));
    await server.events.insert("b", { timestamp: "2024-03-02", data: { k32: 1 } });
    const [names, first] = await head();
    assert.equal([names, first], ["id,timestamp,duration,data", '2,2024-03-02T00:00:00+00:00,0,"{""k32"":1}"']);
  }));

test("the export names the file after the bucket, in ASCII with the whole name encoded", () =>
  withServer({}, async ({ send, server }) => {
    await server.buckets.create("ü b", BUCKET);
    const { headers } = await send("GET", "/api/0/buckets/%C3%BC%20b/export/csv");
    assert.is(
      headers["content-disposition"],
      "attachment; filename=aw-events-export-__b.csv; filename*=UTF-8''aw-events-export-%C3%BC%20b.csv",
    );
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
