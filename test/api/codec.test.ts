// How schemas read and write values. What each operation refuses is in wrong-types.test.ts.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decode, encode, encodePieces } from "../../src/api/codec.js";
import type { Schema } from "../../src/api/schema.js";
import { SCHEMA_LIST } from "../../src/api/schemas.js";

const test = suite("codec");

const TIME = { $ref: "Timestamp" } as const;
const RULE: Schema = {
  type: "object",
  required: ["regex"],
  additionalProperties: false,
  properties: {
    regex: { type: "string", minLength: 1 },
    ignore_case: { type: "boolean", default: false },
    kind: { type: "string", enum: ["drop", "replace"] },
    until: { anyOf: [{ type: "boolean" }, { $ref: "TimestampInput" }, { type: "null" }] },
    length: { $ref: "Seconds" },
    count: { type: "integer", minimum: 1, maximum: 9 },
  },
};
const RULES: Schema = {
  type: "object",
  properties: {
    rules: { type: "array", items: RULE },
    extra: {},
    own: { allOf: [RULE] },
    span: { $ref: "Duration" },
    by_id: { type: "object", additionalProperties: TIME },
  },
};

function refusal(schema: Schema, value: unknown): string {
  try {
    decode(schema, value, "");
  } catch (error) {
    return (error as Error).message;
  }
  return "taken";
}

test("names become camelCase, times microseconds, and defaults are filled in", () => {
  const given = { regex: "a", until: "2024-03-01T10:00:00.5Z", length: 1.5, count: 9 };
  const decoded = { regex: "a", ignoreCase: false, until: 1_709_287_200_500_000, length: 1_500_000, count: 9 };
  assert.equal(decode(RULE, given, ""), decoded);
  assert.equal(decode(RULE, { regex: "a", until: null }, ""), { regex: "a", ignoreCase: false, until: null });
  // Whoever takes it checks it.
  assert.equal(decode(RULES, { own: { ignore_case: 1 }, span: -1.5 }, ""), {
    own: { ignore_case: 1 },
    span: -1_500_000,
  });
  const byId = { b_1: "2024-03-01T10:00:00+00:00" };
  assert.equal(decode(RULES, { by_id: byId, surplus: 1 }, ""), { byId: { b_1: 1_709_287_200_000_000 } });
});

test("what is encoded is what would be decoded, without what the schema does not name", () => {
  const value = { regex: "a", ignoreCase: true, until: 1_709_287_200_500_000, length: null, surplus: 1 };
  const until = "2024-03-01T10:00:00.500000+00:00";
  assert.equal(encode(RULE, value), { regex: "a", ignore_case: true, until });
  assert.equal(encode(RULES, { rules: [{ regex: "a", until: null }], extra: { in_it: null } }), {
    rules: [{ regex: "a", until: null }],
    extra: { in_it: null },
  });
  assert.equal(encode(RULES, { byId: { b_1: 1_709_287_200_000_000 } }), {
    by_id: { b_1: "2024-03-01T10:00:00+00:00" },
  });
});

const REFUSED: readonly (readonly [value: unknown, message: string])[] = [
  [[], "the body must be an object, got a list"],
  [null, "the body must be an object, got null"],
  [{ rules: {} }, "rules must be a list, got an object"],
  [{ rules: [{}] }, "rules[0].regex must be a string with at least one character, got nothing"],
  [{ rules: [{ regex: "" }] }, "rules[0].regex must be a string with at least one character, got ''"],
  [{ rules: [{ regex: "a", ignore_case: "yes" }] }, "rules[0].ignore_case must be true or false, got 'yes'"],
  [{ rules: [{ regex: "a", kind: "x" }] }, "rules[0].kind must be 'drop' or 'replace', got 'x'"],
  [{ rules: [{ regex: "a", count: 10 }] }, "rules[0].count must be an integer from 1 to 9, got 10"],
  [{ rules: [{ regex: "a", length: "1s" }] }, "rules[0].length must be a number of seconds, got '1s'"],
  [
    { rules: [{ regex: "a" }, { regex: "a", until: "soon" }] },
    "rules[1].until must be true, false, a time like 2024-03-01T10:00:00Z or null, got 'soon'",
  ],
  [
    { rules: [{ regx: "a" }] },
    "unknown field 'rules[0].regx'; fields are regex, ignore_case, kind, until, length, count",
  ],
  [{ by_id: { b: 1 } }, "by_id.b must be a time like 2024-03-01T10:00:00Z, got 1"],
  [JSON.parse('{"rules": [{"__proto__": {"regex": "a"}}]}'), "unknown field 'rules[0].__proto__'; fields are"],
];

test("any JSON value will do for a schema without a type, null as well, but not nothing", () => {
  for (const value of [null, false, 0, "", [1], { a: null }]) assert.equal(decode({}, value, ""), value);
  assert.is(refusal({}, undefined), "the body must be a JSON value, got nothing");
});

for (const [value, message] of REFUSED) {
  test(`${JSON.stringify(value)} is refused`, () => assert.ok(refusal(RULES, value).startsWith(message), message));
}

test("pieces of a long response are the JSON of the whole one", () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ key: at % 3 === 0 ? null : `row "${at}"`, seconds: at, share: 0.5 }));
  const group = (count: number) => ({ rows: rows(count), total: count, seconds: 5, next: count > 9 ? 7 : null });
  const report = {
    ...{ start: 1e15, end: 2e15, timeZone: "UTC", firstDay: "2024-03-01", lastDay: "2024-03-01" },
    totals: { active: 1.5, away: 0, first: null, last: 3e15, longestFocus: null, unknown: 5 },
    groups: { app: group(500), "7": group(3), none: group(0) },
    ...{ bins: [], compared: undefined, coverage: [], goals: null, faults: [] },
  };
  const pieces = [...encodePieces(SCHEMA_LIST.Report, report)];
  assert.is(pieces.join(""), JSON.stringify(encode(SCHEMA_LIST.Report, report)));
  assert.ok(Math.max(...pieces.map(({ length }) => length)) < 6000, "no piece is long");
});

test.run();
