// Privacy rules tried on what is stored; docs/guides/privacy.md#trying-rules-out
// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServer, PrivacyRule } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { type TransactionView, transactOn } from "../../src/storage/transaction.js";
import { withServer } from "../harness.js";
import { refusalOf } from "../refusals.js";
import { finish, onEach } from "../trash/grounds.js";

const test = suite("privacy rules over the past");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const RULES: PrivacyRule[] = [
  { when: { buckets: "win*", key: "title", matches: "bank" }, then: { redact: { keys: ["title"] } } },
  { when: { key: "app", equals: "secret" }, then: "drop" },
  { when: { key: "app", equals: "off" }, then: "drop", enabled: false },
];

function event(second: number, app: string, title: string) {
  return { timestamp: new Date(Date.UTC(2024, 0, 1, 0, 0, second)), duration: "1s" as const, data: { app, title } };
}

function withEvents(body: (server: ActivityServer) => Promise<void>): Promise<void> {
  return withServer({ door: "process" }, async ({ server }) => {
    await server.buckets.create("win", BUCKET, [
      event(1, "browser", "my bank"),
      event(2, "secret", "bank"),
      event(3, "off", "mail"),
      event(4, "browser", "news"),
    ]);
    await server.buckets.create("afk", BUCKET, [event(1, "secret", "bank"), event(2, "x", "bank")]);
    await body(server);
  });
}

test("a preview counts by rule and bucket, shows examples, and changes nothing", () =>
  withEvents(async (server) => {
    const before = await server.events.read("win").toArray();
    const { rules, ...found } = await server.privacy.preview({ rules: RULES });
    assert.equal(found, {
      events: 6,
      dropped: 2,
      changed: 1,
      buckets: [
        { bucketId: "win", events: 4, dropped: 1, changed: 1 },
        { bucketId: "afk", events: 2, dropped: 1, changed: 0 },
      ],
    });
    const [redacting, dropping, ...others] = rules;
    assert.equal(others, []);
    assert.equal([redacting?.rule, redacting?.dropped, redacting?.changed], ["rules[0]", 0, 2]);
    assert.equal([dropping?.rule, dropping?.dropped, dropping?.changed], ["rules[1]", 2, 0]);
    const examples = redacting?.examples.map(({ bucketId, before, after }) => [bucketId, before.data, after?.data]);
    assert.equal(examples, [
      ["win", { app: "secret", title: "bank" }, undefined],
      ["win", { app: "browser", title: "my bank" }, { app: "browser", title: "[redacted]" }],
    ]);
    assert.equal(await server.events.read("win").toArray(), before);
  }));

test("it tries as many of the newest events, buckets and examples as it is told", () =>
  withEvents(async (server) => {
    const { events, dropped, rules } = await server.privacy.preview({ rules: RULES, events: 3, buckets: "w*" });
    assert.equal([events, dropped], [3, 1]);
    assert.is(rules[0]?.changed, 1);
    const all = await server.privacy.preview({ rules: RULES, events: "all", examples: 1 });
    assert.equal([all.events, all.rules[0]?.changed, all.rules[0]?.examples.length], [6, 2, 1]);
  }));

test("without rules those of the settings count, filters of aw-server-rust included", () =>
  withEvents(async (server) => {
    await server.settings.put("privacy_rules", RULES.slice(0, 1));
    await server.settings.put("privacy_filters", [
      { enabled: true, bucket_prefix: "", field: "app", pattern: "secret", action: "drop" },
    ]);
    const { rules } = await server.privacy.preview();
    assert.equal(
      rules.map(({ rule, dropped }) => [rule, dropped]),
      [
        ["privacy_rules[0]", 0],
        ["privacy_filters[0]", 2],
      ],
    );
  }));

test("a rule that cannot be is refused with its place", () =>
  withEvents(async (server) => {
    const rules = [{ when: { key: "a", matches: "(" }, then: "drop" }] as const;
    assert.match(await refusalOf(server.privacy.preview({ rules })), /rules\[0\]\.when\.matches/);
  }));

test("rules are applied to the past as the preview says, and undone exactly", () =>
  onEach(async ({ open }) => {
    const server = open();
    const many = Array.from({ length: 300 }, (_, index) => event(index, index % 3 === 0 ? "secret" : "x", "my bank"));
    await server.buckets.create("win", BUCKET, many);
    await server.buckets.create("small", BUCKET, [event(1, "secret", "bank"), event(2, "x", "bank")]);
    await server.buckets.create("protected", BUCKET, [event(1, "secret", "bank")]);
    await server.buckets.setAccess("protected", "append-only");
    const before = await server.events.read("win").toArray();
    const counts = [
      { bucketId: "win", events: 300, dropped: 100, changed: 200 },
      { bucketId: "small", events: 2, dropped: 1, changed: 0 },
    ];
    const preview = await server.privacy.apply({ rules: RULES, preview: true });
    assert.equal(
      preview.buckets,
      counts.map((each) => ({ ...each, undo: null })),
    );
    assert.is(await server.events.count("win"), 300);
    const { buckets: applied } = await server.privacy.apply({ rules: RULES });
    assert.equal(
      applied.map(({ undo: _, ...each }) => each),
      counts,
    );
    const after = await server.events.read("win").toArray();
    assert.equal([after.length, new Set(after.map(({ data }) => data["title"])).size], [200, 1]);
    assert.is(await server.events.count("protected"), 1);
    // A second run finds nothing left: one that broke off is done again.
    assert.equal((await server.privacy.apply({ rules: RULES })).buckets, []);
    for (const { undo } of applied) assert.is((await server.identity.undo(undo as string)).kept, 0);
    assert.equal(await server.events.read("win").toArray(), before);
    assert.is(await server.events.count("small"), 2);
    assert.equal(await server.trash.list(), []);
  }));

test("one bucket is named as it is, whatever stars its id has", () =>
  withServer({ door: "process" }, async ({ server }) => {
    for (const id of ["win*", "window"]) await server.buckets.create(id, BUCKET, [event(1, "secret", "bank")]);
    const { buckets } = await server.privacy.apply({ rules: RULES, bucket: "win*" });
    const ids = buckets.map(({ bucketId }) => bucketId);
    assert.equal([ids, await server.events.count("window")], [["win*"], 1]);
    const both = server.privacy.apply({ bucket: "a", buckets: "b" });
    assert.match(await refusalOf(both), /bucket must be absent if buckets is set/);
  }));

test("an undo keeps what was extended or changed since", () =>
  onEach(async ({ open }) => {
    const server = open();
    await server.buckets.create("win", BUCKET, [event(1, "x", "bank"), event(5, "x", "bank")]);
    const { buckets } = await server.privacy.apply({ rules: RULES });
    const [newest, oldest] = await server.events.read("win").toArray();
    await server.heartbeat("win", { ...event(8, "x", "[redacted]") }, "10s");
    await server.events.insert("win", { ...event(1, "x", "mine"), id: oldest?.id as number });
    assert.is((await server.identity.undo(buckets[0]?.undo as string)).kept, 1);
    const [last, first] = await server.events.read("win").toArray();
    assert.equal([last?.id, last?.duration, last?.data["title"]], [newest?.id, 4_000_000, "bank"]);
    assert.is(first?.data["title"], "mine");
  }));

test("an undo of many events finds them where they are now", () =>
  onEach(async ({ open, storage }) => {
    const lookedUp: number[] = [];
    const server = open({ storage: countingLookUps(storage(), lookedUp) });
    const many = Array.from({ length: 300 }, (_, at) => event(at, at % 3 === 0 ? "secret" : "x", `bank ${at}`));
    await server.buckets.create("win", BUCKET, many);
    const before = await server.events.read("win", { order: "oldest" }).toArray();
    const idAt = (at: number): number => before[at]?.id as number;
    const { buckets } = await server.privacy.apply({ rules: RULES });
    const moved = { ...event(1000, "x", "[redacted]"), id: idAt(1) };
    const changed = { ...event(2, "x", "mine"), id: idAt(2) };
    const back = { ...event(3, "x", "another"), id: idAt(3) };
    await server.events.insert("win", [moved, changed, back]);
    await server.events.delete("win", idAt(4));
    lookedUp.length = 0;
    assert.is((await server.identity.undo(buckets[0]?.undo as string)).kept, 3);
    const wanted = before.flatMap((each, at) => {
      if (at === 1) return [];
      if (at === 2) return [{ ...each, data: changed.data }];
      if (at === 3) return [{ ...each, data: back.data }];
      return at === 4 ? [] : [each];
    });
    const after = await server.events.read("win", { order: "oldest" }).toArray();
    assert.equal(after.slice(0, -1), wanted);
    assert.equal([after.at(-1)?.id, after.at(-1)?.data["title"]], [idAt(1), "bank 1"]);
    // A database answers each question in a way to it and back.
    assert.equal(lookedUp, [idAt(1)]);
  }));

/** Notes the ids that transactions look up one by one. */
function countingLookUps(storage: Storage, lookedUp: number[]): Storage {
  const transact: Storage["transact"] = (bucketIds, plan) =>
    transactOn(storage, bucketIds, (view) => {
      const getEvent: TransactionView["getEvent"] = (bucketId, eventId) => {
        lookedUp.push(eventId);
        return view.getEvent(bucketId, eventId);
      };
      return plan(withOwn(view, { getEvent }));
    });
  return withOwn(storage, { transact });
}

/** An object with some methods in place of its own. */
function withOwn<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(name in own ? own : of, name);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}

test("the database ends", finish);

test.run();
