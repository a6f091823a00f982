import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ClientBucket, connect } from "../../src/client/index.js";
import type { JsonValue } from "../../src/domain/json.js";
import { realisticDay } from "../../src/testing/index.js";
import { offsetOf } from "../../src/web/views/query/error-place.js";
import { CATEGORIES, examplesOf, printLiteral } from "../../src/web/views/query/examples.js";
import { groupingOf } from "../../src/web/views/query/grouping.js";
import { printJson } from "../../src/web/views/query/json-text.js";
import { printPeriod, readPeriod, timeperiodOf } from "../../src/web/views/query/period-choice.js";
import { barsOf, cellText, columnsOf, cut, sectionsOf } from "../../src/web/views/query/result.js";
import { addQuery, dayOffsets, readSaved, removeQuery, savedDays } from "../../src/web/views/query/saved.js";
import { withTestServer } from "../harness.js";

const test = suite("queries of the dashboard");

const event = (duration: number, data: Record<string, JsonValue>) => ({
  ...{ id: null, timestamp: "2024-03-01T10:00:00+00:00", duration, data },
});

test("examples have the buckets of a host, and only those that it has", () => {
  const bucket = (id: string, type: string, hostname: string) => ({ id, type, hostname }) as unknown as ClientBucket;
  const all = [
    bucket('w "1"', "currentwindow", "desk"),
    bucket("a", "afkstatus", "desk"),
    bucket("other", "currentwindow", "laptop"),
    bucket("e", "app.editor.activity", "unknown"),
  ];
  assert.equal(
    examplesOf("desk", all).map(({ id }) => id),
    ["apps", "categories", "events", "editor", "bucket"],
  );
  assert.equal(
    examplesOf("laptop", all).map(({ id }) => id),
    ["editor", "bucket"],
  );
  const [apps] = examplesOf("desk", all);
  assert.match(apps?.text ?? "", /^events = flood\(query_bucket\("w \\"1\\""\)\);\nactive = .*query_bucket\("a"\)/);
});

test("examples and literals are programs that the server runs", () =>
  withTestServer({}, async (server) => {
    const day = realisticDay();
    await server.load(day);
    const buckets = Object.values(await connect(server).buckets.list());
    const rules = [
      [["A", 'b"c'], { type: "regex", regex: "Fire\\w+\\\\", ignore_case: true, priority: -3, select_keys: null }],
    ];
    for (const { text } of examplesOf(day.window.bucket.hostname, buckets)) {
      const query = text.replaceAll(CATEGORIES, () => printLiteral(rules));
      const [answer] = await server.query({ timeperiods: ["2024-03-01/2024-03-02"], query });
      assert.ok(JSON.stringify(answer).length > 20, query);
    }
    const query = `RETURN = ${printLiteral({ a: [1, -2, true, 'x"y'], b: null })};`;
    const [answer] = await server.query({ timeperiods: ["2024-03-01/2024-03-02"], query });
    assert.equal(JSON.parse(JSON.stringify(answer)), { a: [1, -2, true, 'x"y'] });
  }));

test("a place is an index of the text, never beyond its end", () => {
  assert.is(offsetOf("ab\ncd\n", { line: 2, column: 2 }), 4);
  assert.is(offsetOf("ab", { line: 1, column: 9 }), 2);
  assert.is(offsetOf("ab", { line: 5, column: 1 }), 2);
});

test("a result is taken apart into lists and values", () => {
  const shape = (value: JsonValue) => sectionsOf(value).map(({ kind, path }) => `${kind} ${path}`);
  assert.equal(shape([]), ["list "]);
  assert.equal(shape([event(1, {})]), ["events "]);
  assert.equal(shape([event(1, {}), 5]), ["list "]);
  assert.equal(shape(5), ["values "]);
  assert.equal(shape(null), ["values "]);
  assert.equal(shape({}), ["values "]);
  assert.equal(shape({ sum: 5, window: { apps: [event(1, {})], duration: 3, none: [] } }), [
    ...["values ", "values window", "events window.apps", "list window.none"],
  ]);
  assert.equal(shape([{ ...event(1, {}), data: null }]), ["list "]);
  let deep: JsonValue = 1;
  for (let level = 0; level < 900; level++) deep = { next: deep };
  assert.is(sectionsOf(deep).length, 1);
  assert.equal(shape(JSON.parse('{"__proto__": [1]}') as JsonValue), ["list __proto__"]);
});

test("columns are the members of most rows first", () => {
  const rows = [{ a: 1 }, { b: 1, c: 1 }, { c: 2, b: 1 }, { b: 1 }];
  assert.equal(columnsOf(rows), ["b", "c", "a"]);
  assert.is(columnsOf([Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, at]))]).length, 12);
});

test("a cell says what a value is", () => {
  assert.is(cellText(undefined), "");
  assert.is(cellText("<b>"), "<b>");
  assert.is(cellText(["Work", "Code"]), "Work > Code");
  assert.is(cellText([1]), "[1]");
  assert.is(cellText({ a: null }), '{"a":null}');
  assert.is(cellText(false), "false");
  assert.is(cut("abc", 3), "abc");
  assert.is(cut("ab\u{1f600}", 3), "ab…");
});

test("bars are named by what tells them apart", () => {
  const bars = (events: JsonValue[]) => {
    const [section] = sectionsOf(events);
    assert.ok(section);
    return barsOf(section, 3).map(({ label, value }) => [label, value]);
  };
  const grouped = [event(1, { app: "A", title: "x" }), event(5, { app: "B", title: "x" })];
  assert.equal(bars(grouped), [
    ["B", 5],
    ["A", 1],
  ]);
  const titles = [event(3, { app: "A", title: "x" }), event(2, { app: "A", title: "y" })];
  assert.equal(bars(titles), [
    ["x", 3],
    ["y", 2],
  ]);
  const categories = [event(3, { app: "A", $category: ["W", "C"] }), event(2, { app: "A", $category: ["M"] })];
  assert.equal(bars(categories), [
    ["W > C", 3],
    ["M", 2],
  ]);
  const colored = (events: JsonValue[]) =>
    sectionsOf(events).flatMap((section) => barsOf(section, 3).map((bar) => bar.category?.join()));
  assert.equal(colored(categories), ["W,C", "M"]);
  // An app has titles of many categories.
  const apps = [event(3, { app: "A", $category: ["W"] }), event(2, { app: "B", $category: ["W"] })];
  assert.equal(colored(apps), [undefined, undefined]);
  const same = [event(3, { app: "A", title: "x" }), event(2, { app: "A", title: "x" })];
  assert.equal(bars(same), [
    ["A · x", 3],
    ["A · x", 2],
  ]);
  assert.equal(bars([event(-1, {})]), [["(no data)", -1]]);
  assert.equal(bars([4, "no number", 9, 1, 2]), [
    ["3", 9],
    ["1", 4],
    ["5", 2],
  ]);
});

test("JSON is printed as far as there is room", () => {
  const value = JSON.parse('{"a": [1, "x", null, {}, []], "__proto__": {"b": [[true]]}}') as JsonValue;
  assert.equal(printJson(value, 10_000), { text: JSON.stringify(value, null, 2), isWhole: true });
  const list = Array.from({ length: 100_000 }, (_, at) => ({ at }));
  const part = printJson(list, 5000);
  assert.is(part.isWhole, false);
  assert.ok(part.text.length >= 5000 && part.text.length < 5100);
  assert.ok(JSON.stringify(list, null, 2).startsWith(part.text));
  assert.equal(printJson(7, 10), { text: "7", isWhole: true });
});

test("saved queries keep what others have written", () => {
  const stored: JsonValue = [
    {
      id: 4,
      name: "Old",
      query_code: "RETURN = 1;",
      startdate: "2024-01-01",
      enddate: "2024-01-02",
      event_type: "web",
    },
    { odd: true },
    "odd",
  ];
  assert.equal(
    readSaved(stored).map(({ name }) => name),
    ["Old"],
  );
  assert.equal(readSaved({ odd: true }), []);
  const query = { name: "New", query_code: "RETURN = 2;", startdate: "2024-02-01", enddate: "2024-02-02" };
  const after = addQuery(stored, query);
  assert.equal(after, [...stored, { id: 5, ...query, event_type: "currentwindow" }]);
  assert.equal(addQuery(null, query), [{ id: 0, ...query, event_type: "currentwindow" }]);
  // The same name: in its place, with its id.
  const again = addQuery(after, { ...query, name: "Old" }) as { id: number; event_type: string }[];
  assert.equal([again.length, again[0]?.id, again[0]?.event_type], [4, 4, "web"]);
  assert.equal(removeQuery(after, 4), [{ odd: true }, "odd", { id: 5, ...query, event_type: "currentwindow" }]);
});

test("a period is read from an address and printed as it was", () => {
  const calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" } as const;
  const now = Date.parse("2024-03-31T12:00:00Z");
  const cases: readonly (readonly [string, string])[] = [
    // Clocks go forward at the end of that night, before the day begins at 4.
    ["period=today", "2024-03-31T02:00:00.000Z/2024-04-01T02:00:00.000Z"],
    ["period=yesterday", "2024-03-30T03:00:00.000Z/2024-03-31T02:00:00.000Z"],
    ["period=7d", "2024-03-25T03:00:00.000Z/2024-04-01T02:00:00.000Z"],
    ["period=30d", "2024-03-02T03:00:00.000Z/2024-04-01T02:00:00.000Z"],
    ["from=2024-02-28&to=2024-03-01", "2024-02-28T03:00:00.000Z/2024-03-02T03:00:00.000Z"],
  ];
  for (const [params, timeperiod] of cases) {
    const chosen = readPeriod(new URLSearchParams(params), calendar, now);
    assert.is(timeperiodOf(chosen.period), timeperiod);
    assert.is(new URLSearchParams(Object.entries(printPeriod(chosen)) as [string, string][]).toString(), params);
  }
  for (const odd of ["", "period=never", "from=2024-02-30&to=2024-03-01", "from=2024-02-01"]) {
    assert.is(readPeriod(new URLSearchParams(odd), calendar, now).choice, "today");
  }
});

test("a program tells what its results are grouped by", () => {
  const of = (program: string, path = "") => groupingOf(program)(path);
  const apps = 'RETURN = sort_by_duration(merge_events_by_keys(events, ["app"]));';
  assert.equal(of(apps), ["app"]);
  assert.equal(of(`# apps; ["title"]\n${apps}`), ["app"]);
  assert.is(of("RETURN = events;"), undefined);
  assert.is(of('RETURN = concat(merge_events_by_keys(events, ["app"]), events);'), undefined);
  assert.equal(of('RETURN = merge_events_by_keys(filter_keyvals(events, "app", ["a;b"]), ["app", "title"]);'), [
    ...["app", "title"],
  ]);
  const dict = `
    titles = sort_by_duration(merge_events_by_keys(events, ["app", "title"]));
    apps = merge_events_by_keys(titles, ["app"]);
    apps = limit_events(apps, 100);
    events = titles; events = flood(events);
    RETURN = { "window": { "apps": apps, "titles": limit_events(titles, 5), "n": [1, 2] }, "events": events };`;
  assert.equal(of(dict, "window.apps"), ["app"]);
  assert.equal(of(dict, "window.titles"), ["app", "title"]);
  for (const path of ["events", "window.n", "window.none", "window", "", "a.b.c"]) assert.is(of(dict, path), undefined);
  assert.is(of('RETURN = "unfinished', "x"), undefined);
  assert.equal(of(`x = '"; # [';\n${apps}`), ["app"]);
});

test("finding what groups a result takes no longer than its program is", () => {
  const many = (text: string): string => text.repeat(300_000);
  for (const program of [
    `RETURN = merge_events_by_keys(events, ["${many(",[")}"]) + [];`,
    `RETURN = a${many("1")} + [];`,
    `RETURN = "${many(" ")}x";`,
    `RETURN = { "a": "${many(" ")}x" };`,
    `RETURN = '"${many('\\"')}';`,
    `RETURN = merge_events_by_keys(events, ['"${many('\\"')}x']) + [];`,
  ]) {
    assert.is(groupingOf(program)("a"), undefined);
    assert.is(groupingOf(program)(""), undefined);
  }
});

test("a saved query has its days, as ActivityWatch's web UI saves them or as dates", () => {
  const days = (fields: object) => savedDays({ id: 1, name: "a", query_code: "b", ...fields }, "2024-03-10");
  assert.equal(days({ start_day_offset: 6, end_day_offset: -1 }), { first: "2024-03-04", last: "2024-03-10" });
  assert.equal(days({ start_day_offset: 1, end_day_offset: 0 }), { first: "2024-03-09", last: "2024-03-09" });
  assert.equal(days({ start_day_offset: 0 }), { first: "2024-03-10", last: "2024-03-10" });
  assert.equal(days({ startdate: "2024-02-01", enddate: "2024-02-02" }), { first: "2024-02-01", last: "2024-02-02" });
  for (const odd of [{}, { start_day_offset: "1" }, { start_day_offset: 0, end_day_offset: 5 }, { startdate: "x" }]) {
    assert.is(days(odd), undefined);
  }
  const offsets = dayOffsets("2024-03-04", "2024-03-10", "2024-03-10");
  assert.equal(offsets, { start_day_offset: 6, end_day_offset: -1 });
});

test.run();
