// What exactly is wrong, and where, is data beside the message: the same for programs, over HTTP and in process.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, ActivityClientError, connect } from "../../src/client/index.js";
import { ActivityError } from "../../src/errors.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";

const test = suite("faults of errors");

const run = (query: string) => {
  const asked = { timeperiods: ["2024-03-01/2024-03-02"], query };
  return (side: ActivityClient | TestServer): Promise<unknown> => side.query(asked);
};
const put = (key: string, value: unknown) => (side: ActivityClient | TestServer) =>
  side.settings.put(key, value as never);
const OPEN = { name: "openGroup", values: { at: 2 }, reason: "this ( has no closing ), at character 2 of the pattern" };

test("they have a name and a place on both sides", async () => {
  const server = createTestServer();
  const cases: readonly (readonly [
    (side: ActivityClient | TestServer) => Promise<unknown>,
    code: string,
    fault: { readonly name: string; readonly place: object; readonly reason?: string; readonly values?: object },
  ])[] = [
    [
      run("a = 1;\n RETURN = event;"),
      "QUERY_FAILED",
      { name: "noSuchVariable", place: { line: 2, column: 11 }, reason: "no variable 'event'" },
    ],
    [run(""), "QUERY_FAILED", { name: "programEmpty", place: { line: 1, column: 1 } }],
    [run("RETURN = 1 / 0;"), "QUERY_FAILED", { name: "byZero", place: { line: 1, column: 12 } }],
    [
      run('RETURN = filter_keyvals_regex([], "app", "a(");'),
      "QUERY_FAILED",
      { ...OPEN, place: { line: 1, column: 42, function: "filter_keyvals_regex" } },
    ],
    [
      run('RETURN =\n categorize([], [[["A"], {"regex": "a"}], [["B"], {"regex": "a("}]]);'),
      "QUERY_FAILED",
      { ...OPEN, place: { line: 2, column: 17, function: "categorize", rule: 2 } },
    ],
    [
      run('RETURN = tag([], [["A"]]);'),
      "QUERY_FAILED",
      { name: "ruleUnfit", place: { line: 1, column: 18, function: "tag", rule: 1 } },
    ],
    [
      put("privacy_rules", [{ when: { key: "a", matches: "x(" }, then: "drop" }]),
      "INVALID_INPUT",
      { ...OPEN, place: { rule: 1, field: "when.matches" } },
    ],
    [
      put("privacy_filters", [{ action: "redact", field: "a", pattern: "x(" }]),
      "INVALID_INPUT",
      { ...OPEN, place: { rule: 1, field: "pattern" } },
    ],
    [
      put("retention_rules", [
        { buckets: "*", keepDays: 1 },
        { buckets: "*", keepDays: 0 },
      ]),
      "INVALID_INPUT",
      {
        ...{ name: "numberUnfit", place: { rule: 2, field: "keepDays" }, values: { limit: 200_000 } },
        reason: "must be a number above 0, at most 200000",
      },
    ],
    [
      (side) => side.keys.add({ name: "?", scopes: ["read:*"] }),
      "INVALID_INPUT",
      { name: "fieldUnfit", place: { field: "name" } },
    ],
    [
      (side) => side.keys.add({ name: "a", scopes: [5 as never] }),
      "INVALID_INPUT",
      { name: "fieldUnfit", place: { field: "scopes[0]" }, reason: "must be a string, got 5" },
    ],
  ];
  for (const [call, code, wanted] of cases) {
    const own = (await call(server).catch((thrown: unknown) => thrown)) as ActivityError;
    const sent = (await call(connect(server)).catch((thrown: unknown) => thrown)) as ActivityClientError;
    assert.ok(ActivityError.is(own) && sent instanceof ActivityClientError, String(own));
    assert.equal([own.code, sent.serverCode, sent.serverMessage], [code, code, own.message]);
    assert.equal(sent.fault, own.fault as never);
    const { reason, values, ...named } = own.fault ?? {};
    assert.equal(
      { ...named, reason: wanted.reason && reason, values: wanted.values && values },
      {
        ...{ reason: undefined, values: undefined, ...wanted },
      },
    );
    assert.ok(own.message.includes(String(reason)), own.message);
  }
  await server.close();
});

test.run();
