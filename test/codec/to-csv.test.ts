import { suite } from "uvu";
import * as assert from "uvu/assert";
import { toCsv } from "../../src/index.js";
import { withTestServer } from "../harness.js";

const test = suite("toCsv");

test("objects become rows, and their keys columns", () => {
  const rows = [
    { app: "editor", seconds: 1.5, isDone: true },
    { app: 'a "b", c', other: null, at: new Date(0), list: [1, "x"], big: 2n },
  ];
  assert.is(
    toCsv(rows),
    [
      "app,seconds,isDone,other,at,list,big",
      "editor,1.5,true,,,,",
      '"a ""b"", c",,,,1970-01-01T00:00:00.000Z,"[1,""x""]",2',
      "",
    ].join("\r\n"),
  );
  assert.is(toCsv(rows, { columns: ["seconds", "none"] }), "seconds,none\r\n1.5,\r\n,\r\n");
  assert.is(toCsv(new Set([{ a: 1 }]), { byteOrderMark: true }), "\ufeffa\r\n1\r\n");
  assert.is(toCsv([], { columns: ["a", "b"] }), "a,b\r\n");
});

test("no cell and no column starts a formula", () => {
  const formulas = ["=1+1", "+1", "-1", "@x", "\t=1", "a;=1", "\uff1d1"];
  for (const formula of formulas) {
    const [header, row] = toCsv([{ [formula]: formula }]).split("\r\n");
    assert.is(header, row);
    assert.ok(header?.includes("'"), formula);
  }
  assert.is(toCsv([{ a: -1, b: Number.POSITIVE_INFINITY }]), "a,b\r\n-1,Infinity\r\n");
});

test("inner objects have columns of their own, as filters write them", () => {
  const events = [
    { timestamp: 1, data: { app: "x", page: { host: "h", "a.b": 1 } } },
    { timestamp: 2, data: {} },
  ];
  assert.is(toCsv(events), 'timestamp,data.app,data.page.host,"data.page.""a.b"""\r\n1,x,h,1\r\n2,,,\r\n');
  assert.throws(() => toCsv([{ deep: 1 }, null as never]), /rows must be objects, got null/);
});

test("results of queries and searches are tables", () =>
  withTestServer({}, async (server) => {
    const bucket = { type: "t", client: "c", hostname: "h" };
    const data = { app: "=1+1" };
    await server.buckets.create("window", bucket, [{ timestamp: "2024-03-01T10:00:00Z", duration: "5s", data }]);
    const query = 'RETURN = merge_events_by_keys(query_bucket("window"), ["app"]);';
    const [events] = await server.query<object[]>({ timeperiods: ["2024-03-01/2024-03-02"], query });
    const [header, row] = toCsv(events ?? []).split("\r\n");
    assert.equal([header, row?.split(",").at(-1)], ["id,timestamp,duration,data.app", "'=1+1"]);
    const groups: object[] = [];
    for await (const group of server.search({ group: "app" })) groups.push(group);
    assert.is(toCsv(groups, { columns: ["key", "seconds"] }), "key,seconds\r\n'=1+1,5\r\n");
  }));

test.run();
