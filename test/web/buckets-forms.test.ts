import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientEvent } from "../../src/client/index.js";
import { isJsonObject, type JsonObject } from "../../src/domain/json.js";
import { parseTimestamp } from "../../src/domain/time.js";
import { cellText, columnsOf, fieldOf, otherFields, templateOf } from "../../src/web/views/buckets/columns.js";
import { isTyped, phraseOf } from "../../src/web/views/buckets/confirmation.js";
import { fieldsOf, readData, readDuration, readForm, readStart } from "../../src/web/views/buckets/event-form.js";
import { parseLocal, printLocal } from "../../src/web/views/buckets/local-time.js";

const test = suite("forms of buckets and events");

const BERLIN = "Europe/Berlin";

/** Texts of wall clocks in Berlin and what they mean; what is typed differently is printed as the first of them. */
const WALLS: readonly (readonly [instant: string, ...texts: string[]])[] = [
  ["2024-03-01T09:00:00Z", "2024-03-01 10:00:00", "2024-03-01T10:00", "2024-03-01  10:00:00.000"],
  ["2024-03-01T09:00:00.000001Z", "2024-03-01 10:00:00.000001"],
  ["2024-07-01T08:00:00.25Z", "2024-07-01 10:00:00.25", "2024-07-01 10:00:00.250000"],
  ["2024-02-29T23:00:00Z", "2024-03-01 00:00:00", "2024-03-01"],
  // Clocks are put back from 3 to 2: the hour comes twice.
  ["2024-10-27T00:30:00Z", "2024-10-27 02:30:00"],
  ["2024-10-27T01:30:00Z", "2024-10-27 02:30:00+01:00"],
  ["1969-12-31T22:59:59.5Z", "1969-12-31 23:59:59.5"],
];

for (const [instant, ...texts] of WALLS) {
  test(`${texts.join(", ")} in Berlin is ${instant}`, () => {
    const micros = parseTimestamp(instant) ?? Number.NaN;
    assert.is(printLocal(micros, BERLIN), texts[0]);
    for (const text of texts) assert.is(readStart(text, BERLIN), micros, text);
  });
}

test("an hour that clocks skip is as long behind the gap", () => {
  assert.is(parseLocal("2024-03-31 02:30:00", BERLIN), parseTimestamp("2024-03-31T01:30:00Z"));
  assert.is(parseLocal("2024-03-31 03:30:00", BERLIN), parseTimestamp("2024-03-31T01:30:00Z"));
});

test("a zone that is typed counts more than the own one", () => {
  assert.is(readStart("2024-03-01T10:00:00Z", BERLIN), parseTimestamp("2024-03-01T10:00:00Z"));
  assert.is(readStart(" 2024-03-01 10:00:00-05:00 ", BERLIN), parseTimestamp("2024-03-01T15:00:00Z"));
});

test("what is no time is told", () => {
  for (const text of ["", "yesterday", "2024-02-30", "1600-01-01", "10:00", "2024-03-01 25:00"]) {
    assert.type(readStart(text, BERLIN), "string", text);
  }
});

test("lengths are seconds, or minutes and seconds", () => {
  const read = ["90", " 0.5 ", ".25", "1:30", "1:00:00.5", "-5", "0", "100:00:00"].map(readDuration);
  assert.equal(read, [90, 0.5, 0.25, 90, 3600.5, -5, 0, 360_000]);
  for (const text of ["", "a", "1e5", "1:", "1:2:3:4", "1,5", "--1", "Infinity"]) {
    assert.type(readDuration(text), "string", text);
  }
});

test("data is a JSON object", () => {
  assert.equal(readData('{"a": [1]}'), { a: [1] });
  assert.equal(readData("  "), {});
  for (const text of ["[]", "1", "null", '"a"', "{a: 1}", "{"]) assert.type(readData(text), "string", text);
  const own = readData('{"__proto__": 1}');
  assert.ok(typeof own === "object" && Object.hasOwn(own, "__proto__"));
});

test("an event goes through its form unchanged", () => {
  const event = eventWith({ app: "a", nested: { deep: [1, null, "ü"] } });
  const read = readForm(fieldsOf(event, BERLIN), BERLIN);
  const { timestamp, duration, data } = event;
  assert.equal(read, { event: { timestamp, duration, data } });
});

test("each field tells what is wrong with it", () => {
  const read = readForm({ start: "x", duration: "y", data: "z" }, BERLIN);
  assert.ok("problems" in read);
  assert.equal(Object.keys(read.problems), ["start", "duration", "data"]);
  const one = readForm({ start: "2024-03-01", duration: "y", data: "{}" }, BERLIN);
  assert.ok("problems" in one);
  assert.equal(Object.keys(one.problems), ["duration"]);
});

test("the usual fields of a type are columns, in their order", () => {
  const events = [eventWith({ title: "t", app: "a", more: 1 })];
  assert.equal(columnsOf("currentwindow", events), ["app", "title"]);
  assert.equal(columnsOf("afkstatus", [eventWith({ status: "afk" })]), ["status"]);
  assert.equal(otherFields({ title: "t", app: "a", more: 1 }, ["app", "title"]), ["more"]);
});

test("an unknown type, or a known one with other data, has its most frequent plain fields as columns", () => {
  const events = [eventWith({ a: 1, b: "x", deep: {} }), eventWith({ a: null, c: true, deep: [] }), eventWith({})];
  assert.equal(columnsOf("mystery", events), ["a", "b", "c"]);
  assert.equal(columnsOf("currentwindow", events), ["a", "b", "c"]);
  assert.equal(columnsOf("mystery", []), []);
  const odd = JSON.parse('{"__proto__": 1, "constructor": 2}') as JsonObject;
  assert.equal(columnsOf("__proto__", [eventWith(odd)]), ["__proto__", "constructor"]);
});

test("what data inherit is no field of theirs", () => {
  assert.is(fieldOf({}, "constructor"), undefined);
  assert.is(cellText(fieldOf({}, "toString")), "");
  assert.equal([cellText("a"), cellText(0), cellText(null), cellText({ a: 1 })], ["a", "0", "null", '{"a":1}']);
});

test("a template is JSON for what watchers of the type write", () => {
  assert.equal(JSON.parse(templateOf("currentwindow")), { app: "", title: "" });
  assert.equal(JSON.parse(templateOf("__proto__")), {});
});

test("a name is confirmed by typing it and nothing else", () => {
  const phrase = phraseOf("aw-watcher-window_desk", "delete");
  assert.ok(isTyped(phrase, " aw-watcher-window_desk "));
  for (const typed of ["", "aw-watcher-window", "AW-watcher-window_desk", "delete"]) assert.not(isTyped(phrase, typed));
});

test("names that no line can hold have a phrase that can be typed", () => {
  assert.is(phraseOf("a\n\tb\u0000c", "delete"), "a b c");
  assert.is(phraseOf("", "delete"), "delete");
  assert.is(phraseOf(" \n ", "delete"), "delete");
  assert.not(isTyped(phraseOf("", "delete"), ""));
  for (const name of ["__proto__", "a/b c", "🙂".repeat(100), "\ud800x", '"<b>'])
    assert.ok(isTyped(phraseOf(name, "delete"), phraseOf(name, "delete")), name);
});

function eventWith(data: unknown): ClientEvent {
  if (!isJsonObject(data)) throw new Error("data is no object");
  return { id: 7, timestamp: "2024-03-01T10:00:00.123456+00:00", duration: 1.5, data };
}

test.run();
