import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../src/client/index.js";
import type { JsonObject } from "../../src/domain/json.js";
import { moved, problemOf } from "../../src/web/views/data/rules.js";
import * as privacy from "../../src/web/views/privacy/form.js";
import { PRIVACY_PRESETS } from "../../src/web/views/privacy/presets.js";
import { buildRule, fieldsOf } from "../../src/web/views/retention/form.js";
import { diskUseOf } from "../../src/web/views/storage/state.js";
import { withTestServer } from "../harness.js";
import { otherWords, reworded } from "../reworded.js";

const test = suite("rules on the page");

test("a rule moves by one place, and stays at the ends", () => {
  assert.equal(moved(["a", "b", "c"], 0, 1), ["b", "a", "c"]);
  assert.equal(moved(["a", "b", "c"], 2, 1), ["a", "c", "b"]);
  assert.equal(moved(["a", "b"], 0, -1), ["a", "b"]);
  assert.equal(moved(["a", "b"], 1, 2), ["a", "b"]);
});

test("what the server refuses is shown at its rule and field, whatever its words", () =>
  withTestServer({}, async (server) => {
    const { settings } = createClient({ url: "http://localhost", fetch: reworded(server.fetch) });
    const off = { when: { key: "a", equals: 1 }, then: "drop" };
    const cases = [
      [
        "privacy_rules",
        [off, off, { when: { key: "a", matches: "x(" }, then: "drop" }],
        2,
        "when.matches",
        /^this \( has/,
      ],
      ["privacy_rules", [{ when: { key: "a" }, then: "drop" }], 0, "when", /^needs either/],
      ["privacy_rules", [off, { ...off, then: { redact: { keys: [] } } }], 1, "then.redact.keys", /^must be a list/],
      ["privacy_filters", [{ action: "hide" }], 0, "action", /^must be /],
      ["retention_rules", [{ buckets: "*", keepDays: 0 }], 0, "keepDays", /^must be a number above 0, at most 200000$/],
      ["retention_rules", [{ buckets: "*" }], 0, "", /^needs one of keepDays/],
    ] as const;
    for (const [key, rules, index, place, words] of cases) {
      const error = await settings.put(key, rules).catch((thrown: unknown) => thrown);
      const { text = "", ...problem } = problemOf(error) ?? {};
      assert.equal(problem, { index, place }, key);
      assert.match(otherWords(text), words);
    }
    const noList = await settings.put("retention_rules", 5).catch((thrown: unknown) => thrown);
    assert.is(problemOf(noList), undefined);
    assert.is(problemOf(new Error("rules[10] is wrong")), undefined);
  }));

test("a retention rule comes back from its form as it was", () => {
  const rules = [
    { buckets: "a_*", keepDays: 365 },
    { buckets: "b", summarizeAfterDays: 0.5, dropShorterThan: 2, enabled: false },
    // Of a later version.
    { buckets: "c", keepDays: 1, note: { more: [1] } },
  ];
  for (const rule of rules) assert.equal(buildRule(fieldsOf(rule)), rule);
  // What is no rule at all is refused by the server, once it is to be saved.
  assert.equal(buildRule(fieldsOf("nonsense")), { buckets: "" });
  const fields = fieldsOf({ buckets: " a " });
  assert.equal(buildRule({ ...fields, keepDays: "1,5", dropShorterThan: "soon" }), {
    ...{ buckets: "a", keepDays: 1.5, dropShorterThan: "soon" },
  });
});

test("a privacy rule comes back from its form as it was, and what the form lacks as JSON", () => {
  const inFields = [
    { when: { buckets: "aw-*", key: "title", matches: "(?i)bank" }, then: "drop" },
    { when: { key: "app", equals: "KeePassXC" }, then: { redact: { keys: ["title"] } } },
    { when: { key: "n", equals: 5 }, then: { redact: { keys: ["url", "title"], with: { hidden: true } } } },
    { when: { key: "n", equals: "5" }, then: { redact: { keys: ["url"], with: "null" } } },
    { when: { buckets: "input_*" }, then: { replace: { a: [1] } }, enabled: false },
    { when: { key: "url", matches: "x", ignoreCase: true }, then: "drop" },
  ];
  for (const rule of inFields) {
    assert.is(privacy.fieldsOf(rule).json, undefined, JSON.stringify(rule));
    assert.equal(privacy.buildRule(privacy.fieldsOf(rule)), rule);
  }
  const asJson = [
    { when: { key: "a, b", equals: "x" }, then: { redact: { keys: ["a, b"] } } },
    { when: { key: "title", matches: "x" }, then: "drop", note: "of a later version" },
    { when: { key: "title" }, then: "drop" },
    { when: 5, then: "drop" },
    "nonsense",
  ];
  for (const rule of asJson) {
    assert.type(privacy.fieldsOf(rule).json, "string", JSON.stringify(rule));
    assert.equal(privacy.buildRule(privacy.fieldsOf(rule)), rule);
  }
  const off = privacy.buildRule({ ...privacy.fieldsOf({ when: 5, then: "drop" }), enabled: false });
  assert.equal(off, { when: 5, then: "drop", enabled: false });
  // What goes without saying is left out, and is no change.
  const told = { when: { key: "a", matches: "b", ignoreCase: false }, then: "drop", enabled: true };
  assert.is(privacy.fieldsOf(told).json, undefined);
});

test("little space shows before writes are refused", () => {
  const use = (free: number) => diskUseOf({ free_bytes: free, total_bytes: 1000, min_free_bytes: 10 })?.left;
  assert.equal([use(500), use(79), use(9)], ["enough", "little", "none"]);
  assert.is(diskUseOf({ free_bytes: 250, total_bytes: 1000, min_free_bytes: 10 })?.usedShare, 0.75);
  assert.is(diskUseOf(null), undefined);
});

test("the suggested privacy rules fit the form, hide what they are about, and keep the rest", () =>
  withTestServer({}, async (server) => {
    const rules = Object.values(PRIVACY_PRESETS).flat();
    for (const rule of rules) {
      assert.is(privacy.fieldsOf(rule).json, undefined);
      assert.equal(privacy.buildRule(privacy.fieldsOf(rule)), rule);
    }
    await server.settings.put("privacy_rules", rules);
    const client = createClient({ url: "http://localhost", fetch: server.fetch });
    await client.buckets.create("b", { type: "test", client: "test", hostname: "desk" });
    const stored = async (data: JsonObject): Promise<JsonObject | undefined> => {
      const [before] = await client.events.list("b", { limit: 1 });
      await client.events.insert("b", [{ timestamp: new Date(now++ * 1000).toISOString(), duration: 0, data }]);
      const [last] = await client.events.list("b", { limit: 1 });
      return last?.id === before?.id ? undefined : last?.data;
    };
    let now = Date.parse("2024-03-01T10:00:00Z") / 1000;
    const hidden = "[redacted]";
    for (const [data, expected] of [
      [
        { app: "Firefox", title: "Weather — Mozilla Firefox Private Browsing" },
        { app: "Firefox", title: hidden },
      ],
      [{ url: "https://a.example/", title: "A", incognito: true }, undefined],
      [
        { app: "Firefox", title: "My Bank — Mozilla Firefox" },
        { app: "Firefox", title: hidden },
      ],
      [
        { url: "https://www.paypal.com/x", title: "A" },
        { url: hidden, title: hidden },
      ],
      [
        { app: "KeePassXC", title: "secrets.kdbx" },
        { app: "KeePassXC", title: hidden },
      ],
      [
        { app: "Chrome", title: "Find a doctor" },
        { app: "Chrome", title: hidden },
      ],
      [
        { url: "https://www.nhs.uk/x", title: "A" },
        { url: hidden, title: hidden },
      ],
      [
        { app: "Code", title: "embankment.ts" },
        { app: "Code", title: "embankment.ts" },
      ],
      [
        { url: "https://a.example/bank", title: "A" },
        { url: "https://a.example/bank", title: "A" },
      ],
    ] as const) {
      assert.equal(await stored(data), expected, JSON.stringify(data));
    }
  }));

test.run();
