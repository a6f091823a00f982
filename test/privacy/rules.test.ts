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

const CASES: readonly { name: string; rules: unknown; data?: JsonObject; bucketId?: string; left: unknown }[] = [
  { name: "no rules", rules: [], left: FIREFOX },
  { name: "a pattern of another case", rules: [{ when: TITLE, then: "drop" }], left: FIREFOX },
  { name: "ignoreCase", rules: [{ when: { ...TITLE, ignoreCase: true }, then: "drop" }], left: undefined },
  {
    name: "a flag in the pattern",
    rules: [{ when: { key: "title", matches: "(?i)priv" }, then: "drop" }],
    left: undefined,
  },
  { name: "equal text", rules: [{ when: { key: "app", equals: "Firefox" }, then: "drop" }], left: undefined },
  { name: "a part of a text", rules: [{ when: { key: "app", equals: "Fire" }, then: "drop" }], left: FIREFOX },
  {
    name: "an equal object, whatever the order of its keys",
    rules: [{ when: { key: "a", equals: { x: 1, y: [null] } }, then: "drop" }],
    data: { a: { y: [null], x: 1 } },
    left: undefined,
  },
  { name: "null, and no such key", rules: [{ when: { key: "url", equals: null }, then: "drop" }], left: FIREFOX },
  {
    name: "a text in a list",
    rules: [{ when: { key: "tabs", matches: "bank" }, then: "drop" }],
    data: { tabs: ["news", { url: "https://bank.example" }] },
    left: undefined,
  },
  {
    name: "a number is no text",
    rules: [{ when: { key: "n", matches: "1" }, then: "drop" }],
    data: { n: 1 },
    left: { n: 1 },
  },
  { name: "other buckets", rules: [{ when: { buckets: "aw-watcher-*" }, then: "drop" }], left: FIREFOX },
  {
    name: "buckets by a glob",
    rules: [{ when: { buckets: "aw-*-web*" }, then: "drop" }],
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
  {
    name: "keys of prototypes are no keys of data",
    rules: [{ when: { key: "constructor", matches: "." }, then: "drop" }],
    left: FIREFOX,
  },
  {
    name: "a pattern, and a text in its other form",
    rules: [{ when: { key: "title", matches: "M\u00fcller" }, then: "drop" }],
    data: { title: "Mail to Mu\u0308ller" },
    left: undefined,
  },
  {
    name: "a pattern in the other form, in any case",
    rules: [{ when: { key: "title", matches: "mu\u0308ller", ignoreCase: true }, then: "drop" }],
    data: { title: ["Mail", { to: "M\u00dcLLER" }] },
    left: undefined,
  },
  {
    name: "an equal text in its other form",
    rules: [{ when: { key: "title", equals: "M\u00fcller" }, then: "drop" }],
    data: { title: "Mu\u0308ller" },
    left: undefined,
  },
  {
    name: "an equal object with texts in their other form",
    rules: [{ when: { key: "a", equals: { b: ["M\u00fcller", null] } }, then: "drop" }],
    data: { a: { b: ["Mu\u0308ller", null] } },
    left: undefined,
  },
  {
    name: "buckets in their other form",
    rules: [{ when: { buckets: "window_M\u00fcller*" }, then: "drop" }],
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
  [[{ when: {}, then: "drop" }], "rules[0].when.key must be"],
  [[{ when: { buckets: 1 }, then: "drop" }], "rules[0].when.buckets must be"],
  [[{ when: { key: "a" }, then: "drop" }], "rules[0].when needs either equals or matches in addition to key"],
  [[{ when: { key: "a", equals: 1, matches: "a" }, then: "drop" }], "rules[0].when needs either equals or matches"],
  [[{ when: { matches: "a" }, then: "drop" }], "rules[0].when.key must be"],
  [
    [
      { when: { buckets: "*" }, then: "drop" },
      { when: { key: "a", matches: "x(" }, then: "drop" },
    ],
    "rules[1].when.matches: ",
  ],
  [[{ when: { key: "a", matches: "" }, then: "drop" }], "rules[0].when.matches must be"],
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
  assert.throws(
    () => readRules([{ when: { key: "a", matches: "x(" }, then: "drop" }], "rules"),
    /at character 2 of the/,
  );
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
