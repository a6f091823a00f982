// The export of a bucket as a table; docs/guides/search.md#csv
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../src/client/index.js";
import type { EventInput } from "../../src/index.js";
import { BUCKET, withServer } from "../harness.js";
import { refusal } from "./client.js";

const test = suite("CSV export of a bucket");

const EVENTS: readonly EventInput[] = [
  { timestamp: "2024-03-01T10:00:00Z", duration: "1.5s", data: { title: 'say "hi", you', app: "=cmd()" } },
  {
    timestamp: "2024-03-01T10:00:02Z",
    duration: { seconds: -1 },
    data: { app: "ü\r\nb", page: { host: "x" }, tabs: -4, list: [1, "a"] },
  },
  { timestamp: "2024-03-01T10:00:03.25Z", data: { id: 7, on: true, none: null, "@key": "" } },
];

test("has a column for each key of the data, in order of appearance", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EVENTS);
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

test("selects as the list of events does", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    await server.events.insert("b", EVENTS);
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

test("keeps data of more than 32 keys in one column of JSON", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    const dataOf = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${key}`, key]));
    await server.events.insert("b", { timestamp: "2024-03-01", data: dataOf(32) });
    const head = async () => (await send("GET", "/api/0/buckets/b/export/csv")).body.toString().split("\r\n");
    assert.equal((await head())[0], ["id,timestamp,duration", ...Object.keys(dataOf(32))].join(","));
    await server.events.insert("b", { timestamp: "2024-03-02", data: { k32: 1 } });
    const [names, first] = await head();
    assert.equal([names, first], ["id,timestamp,duration,data", '2,2024-03-02T00:00:00+00:00,0,"{""k32"":1}"']);
  }));

test("names the file after the bucket, in ASCII with the whole name encoded", () =>
  withServer({}, async ({ send, server }) => {
    await server.buckets.create("ü b", BUCKET);
    const { headers } = await send("GET", "/api/0/buckets/%C3%BC%20b/export/csv");
    assert.is(
      headers["content-disposition"],
      "attachment; filename=aw-events-export-__b.csv; filename*=UTF-8''aw-events-export-%C3%BC%20b.csv",
    );
  }));

test.run();
