// What exactly is wrong, and where, is data beside the message: the same over HTTP and in process.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, type ActivityClientError, connect, type Fault } from "../../src/client/index.js";
import type { ActivityError } from "../../src/errors.js";
import type { TestServer } from "../../src/testing/index.js";
import { withTestServer } from "../harness.js";

const test = suite("faults of errors");

const run = (query: string) => (side: ActivityClient | TestServer) =>
  side.query({ timeperiods: ["2024-03-01/2024-03-02"], query }) as Promise<unknown>;
const OPEN = { name: "openGroup", values: { at: 2 }, reason: "this ( has no closing ), at character 2 of the pattern" };

const CASES: readonly (readonly [(side: ActivityClient | TestServer) => Promise<unknown>, Partial<Fault>])[] = [
  [run("a = 1;\n RETURN = ev;"), { values: { name: "'ev'" }, place: { line: 2, column: 11 } }],
  [run(""), { name: "programEmpty", place: { line: 1, column: 1 }, reason: "the program is empty" }],
  [
    run('RETURN = filter_keyvals_regex([], "app", "a(");'),
    { ...OPEN, place: { line: 1, column: 42, function: "filter_keyvals_regex" } },
  ],
  [
    run('RETURN =\n categorize([], [[["A"], {"regex": "a"}], [["B"], {"regex": "a("}]]);'),
    { ...OPEN, place: { line: 2, column: 17, function: "categorize", rule: 2 } },
  ],
  [run('RETURN = tag([], [["A"]]);'), { name: "ruleUnfit", place: { line: 1, column: 18, function: "tag", rule: 1 } }],
  [
    ({ settings }) => settings.put("privacy_filters", [{ action: "redact", field: "a", pattern: "x(" }]),
    { ...OPEN, place: { rule: 1, field: "pattern" } },
  ],
  [({ keys }) => keys.add({ name: "?", scopes: ["read:*"] }), { name: "fieldUnfit", place: { field: "name" } }],
  [
    ({ keys }) => keys.add({ name: "a", scopes: [5 as never] }),
    { name: "fieldUnfit", place: { field: "scopes[0]" }, reason: "must be a string, got 5" },
  ],
];

test("they have a name and a place on both sides", () =>
  withTestServer({}, async (server) => {
    for (const [call, wanted] of CASES) {
      const own = (await call(server).catch((thrown: unknown) => thrown)) as ActivityError;
      const sent = (await call(connect(server)).catch((thrown: unknown) => thrown)) as ActivityClientError;
      assert.equal([sent.serverCode, sent.serverMessage, sent.fault], [own.code, own.message, own.fault]);
      assert.equal({ ...own.fault, ...wanted }, own.fault);
      assert.ok(own.message.includes(own.fault?.reason ?? "?"), own.message);
    }
  }));

test.run();
