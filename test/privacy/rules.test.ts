// What rules make of events; docs/guides/privacy.md#rules
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../../src/domain/json.js";
import { readFilters } from "../../src/privacy/read-filters.js";
import { readRules } from "../../src/privacy/read-rules.js";
import { RuleSet } from "../../src/privacy/rule-set.js";

const test = suite("privacy rules");

/** @returns the data that are left; `undefined` = dropped */
async function left(rules: unknown, data: JsonObject, bucketId = "window"): Promise<JsonObject | undefined> {
  const set = new RuleSet(readRules(rules, "rules"));
  const outcome = set.outcomeNow(bucketId, data) ?? (await set.outcomeInSlices(bucketId, data));
  if (outcome.kind === "drop") return undefined;
  return outcome.kind === "keep" ? data : outcome.data;
}

const FIREFOX = { app: "Firefox", title: "Private Browsing" };
const TITLE = { key: "title", matches: "private" };

const drop = (when: object) => [{ when, then: "drop" }];

const CASES: readonly { name: string; rules: unknown; data?: JsonObject; bucketId?: string; left: unknown }[] = [
  { name: "no rules", rules: [], left: FIREFOX },
  { name: "a pattern of another case", rules: drop(TITLE), left: FIREFOX },
  { name: "ignoreCase", rules: drop({ ...TITLE, ignoreCase: true }), left: undefined },
  { name: "a flag in the pattern", rules: drop({ key: "title", matches: "(?i)priv" }), left: undefined },
  { name: "equal text", rules: drop({ key: "app", equals: "Firefox" }), left: undefined },
  { name: "a part of a text", rules: drop({ key: "app", equals: "Fire" }), left: FIREFOX },
  {
    name: "an equal object, whatever the order of its keys",
    rules: drop({ key: "a", equals: { x: 1, y: [null] } }),
    data: { a: { y: [null], x: 1 } },
    left: undefined,
  },
  { name: "null, and no such key", rules: drop({ key: "url", equals: null }), left: FIREFOX },
  {
    name: "a text in a list",
    rules: drop({ key: "tabs", matches: "bank" }),
    data: { tabs: ["news", { url: "https://bank.example" }] },
    left: undefined,
  },
  { name: "a number is no text", rules: drop({ key: "n", matches: "1" }), data: { n: 1 }, left: { n: 1 } },
  { name: "other buckets", rules: drop({ buckets: "aw-watcher-*" }), left: FIREFOX },
  {
    name: "buckets by a glob",
    rules: drop({ buckets: "aw-*-web*" }),
    bucketId: "aw-watcher-web-firefox",
    left: undefined,
  },
  {
    name: "redaction of keys that are there",
    rules: [{ when: { key: "app", equals: "Firefox" }, then: { redact: { keys: ["title", "url"] } } }],
    left: { app: "Firefox", title: "[redacted]" },
  },
  {
    name: "redaction with a value",
    rules: [{ when: { key: "app", equals: "Firefox" }, then: { redact: { keys: ["title"], with: null } } }],
    left: { app: "Firefox", title: null },
  },
  {
    name: "other data as a whole",
    rules: [{ when: { key: "app", equals: "Firefox" }, then: { replace: { app: "browser" } } }],
    left: { app: "browser" },
  },
  {
    name: "each rule sees what those before it made",
    rules: [
      { when: { key: "app", equals: "Firefox" }, then: { redact: { keys: ["title"], with: "hidden" } } },
      { when: { key: "title", matches: "Private" }, then: "drop" },
      { when: { key: "title", equals: "hidden" }, then: { replace: { seen: true } } },
    ],
    left: { seen: true },
  },
  {
    name: "a rule that is switched off",
    rules: [{ when: { buckets: "*" }, then: "drop", enabled: false }],
    left: FIREFOX,
  },
  { name: "keys of prototypes are no keys of data", rules: drop({ key: "constructor", matches: "." }), left: FIREFOX },
  {
    name: "a pattern, and a text in its other form",
    rules: drop({ key: "title", matches: "M\u00fcller" }),
    data: { title: "Mail to Mu\u0308ller" },
    left: undefined,
  },
  {
    name: "a pattern in the other form, in any case",
    rules: drop({ key: "title", matches: "mu\u0308ller", ignoreCase: true }),
    data: { title: ["Mail", { to: "M\u00dcLLER" }] },
    left: undefined,
  },
  {
    name: "an equal text in its other form",
    rules: drop({ key: "title", equals: "M\u00fcller" }),
    data: { title: "Mu\u0308ller" },
    left: undefined,
  },
  {
    name: "an equal object with texts in their other form",
    rules: drop({ key: "a", equals: { b: ["M\u00fcller", null] } }),
    data: { a: { b: ["Mu\u0308ller", null] } },
    left: undefined,
  },
  {
    name: "buckets in their other form",
    rules: drop({ buckets: "window_M\u00fcller*" }),
    bucketId: "window_Mu\u0308llers-Mac",
    left: undefined,
  },
  {
    name: "what is kept stays in its form",
    rules: [{ when: { key: "app", equals: "Mu\u0308ller" }, then: { redact: { keys: ["title"] } } }],
    data: { app: "M\u00fcller", title: "x", other: "u\u0308" },
    left: { app: "M\u00fcller", title: "[redacted]", other: "u\u0308" },
  },
  {
    name: "__proto__ as a key",
    rules: [{ when: { buckets: "*" }, then: { redact: { keys: ["__proto__"] } } }],
    data: JSON.parse('{"__proto__":"x"}') as JsonObject,
    left: JSON.parse('{"__proto__":"[redacted]"}'),
  },
];

for (const { name, rules, data = FIREFOX, bucketId = "window", left: expected } of CASES) {
  test(name, async () => assert.equal(await left(rules, data, bucketId), expected));
}

test("a search that takes long lets others run, and one that takes too much counts as a match", async () => {
  const [long, endless] = ["(?:[ab]{0,30}a){30}[!?]", "^(a|aa)+\\1!$"].map((matches) => [
    { when: { key: "title", matches }, then: "drop" },
  ]);
  const text = "ab".repeat(1000);
  const set = new RuleSet(readRules(long, "rules"));
  assert.is(set.outcomeNow("b", { title: text }), undefined);
  const outcome = set.outcomeInSlices("b", { title: text });
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  assert.is((await outcome).kind, "keep");
  assert.ok(ran);
  assert.is(await left(endless, { title: `${"a".repeat(45)}b!` }), undefined);
});

const REFUSED: readonly [rules: unknown, message: string][] = [
  [{}, "rules must be"],
  [[1], "rules[0] must be"],
  [[{ when: { buckets: "*" }, than: "drop" }], "rules[0] must have only the fields when, then, enabled, got 'than'"],
  [drop({}), "rules[0].when.key must be"],
  [drop({ buckets: 1 }), "rules[0].when.buckets must be"],
  [drop({ key: "a" }), "rules[0].when needs either equals or matches in addition to key"],
  [drop({ key: "a", equals: 1, matches: "a" }), "rules[0].when needs either equals or matches"],
  [drop({ matches: "a" }), "rules[0].when.key must be"],
  [[...drop({ buckets: "*" }), ...drop({ key: "a", matches: "x(" })], "rules[1].when.matches: "],
  [drop({ key: "a", matches: "" }), "rules[0].when.matches must be"],
  [[{ when: { buckets: "*" }, then: "hide" }], "rules[0].then must be"],
  [[{ when: { buckets: "*" }, then: { redact: { keys: [] } } }], "rules[0].then.redact.keys must be"],
  [[{ when: { buckets: "*" }, then: { replace: [] } }], "rules[0].then.replace must be"],
  [[{ when: { buckets: "*" }, then: "drop", enabled: 1 }], "rules[0].enabled must be"],
];

test("what is no rule is refused with its place", () => {
  for (const [rules, message] of REFUSED) {
    assert.throws(
      () => readRules(rules, "rules"),
      (error: Error) => error.message.startsWith(message) || assert.unreachable(error.message),
    );
  }
  assert.throws(() => readRules(drop({ key: "a", matches: "x(" }), "rules"), /at character 2 of the/);
});

test("filters of aw-server-rust do what they say", async () => {
  const filters = [
    { enabled: true, bucket_prefix: "aw-watcher-window", field: "title", pattern: "(?i)incognito", action: "drop" },
    { enabled: true, field: "page.url", pattern: "bank", action: "redact", replacement: "REDACTED" },
    { enabled: false, pattern: ".*", action: "drop" },
  ];
  const rules = new RuleSet(readFilters(filters, "privacy_filters"));
  assert.is(rules.outcomeNow("aw-watcher-window_pc", { title: "Incognito" })?.kind, "drop");
  assert.is(rules.outcomeNow("aw-watcher-web", { title: "Incognito" })?.kind, "keep");
  const outcome = rules.outcomeNow("b", { page: { url: "https://bank.example", n: 1 } });
  assert.equal(outcome?.kind === "change" && outcome.data, { page: { url: "REDACTED", n: 1 } });
  assert.throws(() => readFilters([{ field: "a", pattern: "[", action: "drop" }], "f"), /^f\[0\]\.pattern: /);
  assert.throws(() => readFilters([{ field: "a", pattern: "a", action: "hide" }], "f"), /^f\[0\]\.action must be /);
});

test.run();
