// Rules on every way in; docs/guides/privacy.md#where-they-apply

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { connect } from "../../src/client/index.js";
import type { ActivityServer, Storage } from "../../src/index.js";
import { micros } from "../../src/index.js";
import { withServer } from "../harness.js";
import { codeOf, refusalOf } from "../refusals.js";

const test = suite("privacy rules on write paths");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const PRIVATE = { title: "secret plan" };
const OPEN = { title: "news" };
const MAIL = { app: "mail", title: "to Ada" };
const RULES = [
  { when: { buckets: "w*", key: "title", matches: "secret" }, then: "drop" },
  { when: { buckets: "w*", key: "app", equals: "mail" }, then: { redact: { keys: ["title"] } } },
];
const HIDDEN = { app: "mail", title: "[redacted]" };

async function withRules(
  body: (server: ActivityServer, storage: Storage) => Promise<void>,
  rules: unknown = RULES,
): Promise<void> {
  const storage = memory();
  await withServer({ door: "process", storage }, async ({ server }) => {
    await server.buckets.create("w", BUCKET);
    await server.buckets.create("other", BUCKET);
    await server.settings.put("privacy_rules", rules);
    await body(server, storage);
  });
}

async function datas(server: ActivityServer, bucketId = "w"): Promise<unknown[]> {
  return (await server.events.read(bucketId, { order: "oldest" }).toArray()).map(({ data }) => data);
}

const DATA = [PRIVATE, OPEN, MAIL];
const EVENTS = DATA.map((data, index) => ({ timestamp: micros(index * 1_000_000), data }));

test("heartbeats", async () => {
  await withRules(async (server) => {
    const told: unknown[] = [];
    server.on("heartbeat", ({ event }) => told.push(event.data));
    const answers = [];
    for (const event of EVENTS) answers.push(await server.heartbeat("w", event, "0s"));
    assert.equal(answers[0], { id: null, timestamp: 0, duration: 0, data: PRIVATE });
    assert.type(answers[1]?.id, "number");
    assert.equal(answers[2]?.data, HIDDEN);
    assert.equal(await datas(server), [OPEN, HIDDEN]);
    assert.equal(told, [OPEN, HIDDEN]);
    await server.heartbeat("other", EVENTS[0] as (typeof EVENTS)[0], "0s");
    assert.equal(await datas(server, "other"), [PRIVATE]);
  });
});

test("a dropped heartbeat finds no bucket where there is none", async () => {
  await withRules(async (server, storage) => {
    const beat = server.heartbeat("w2", { timestamp: micros(0), data: PRIVATE }, "1s");
    assert.is(await codeOf(beat), "NO_SUCH_BUCKET");
    assert.is((await storage.records("privacy").list()).size, 0);
  });
});

test("inserted events, and those that come with a bucket", async () => {
  await withRules(async (server) => {
    const stored = await server.events.insert("w", EVENTS);
    assert.equal(
      stored.map(({ id, data }) => [id === null, data]),
      [
        [true, PRIVATE],
        [false, OPEN],
        [false, HIDDEN],
      ],
    );
    assert.equal(await datas(server), [OPEN, HIDDEN]);
    assert.is((await server.events.insert("w", { timestamp: micros(0), data: PRIVATE })).id, null);
    await server.buckets.create("w2", BUCKET, EVENTS);
    assert.equal(await datas(server, "w2"), [OPEN, HIDDEN]);
  });
});

test("imports", async () => {
  await withRules(async (server) => {
    const events = EVENTS.map(({ timestamp, data }) => ({
      timestamp: new Date(timestamp / 1000).toISOString(),
      duration: 1,
      data,
    }));
    const twin = { timestamp: "1970-01-02", duration: 1, data: MAIL };
    const document = JSON.stringify({
      buckets: { w: { id: "w", ...BUCKET, events: [...events, twin] }, other: { id: "other", ...BUCKET, events } },
    });
    const counts = await server.import(document);
    assert.is(counts.eventsImported, 6);
    assert.is(counts.eventsDropped, 1);
    assert.is(counts.eventsChanged, 2);
    assert.equal(await datas(server), [OPEN, HIDDEN, HIDDEN]);
    assert.equal(await datas(server, "other"), DATA);
    const again = await connect(server).import(document);
    assert.is(again.events_already_there, 6);
    assert.is(again.events_dropped, 1);
    assert.is(again.events_changed, 2);
  });
});

test("rules apply at once when they are set, changed and removed", async () => {
  await withRules(async (server) => {
    const insert = async (): Promise<boolean> =>
      (await server.events.insert("w", EVENTS[0] as object as never)).id !== null;
    assert.not(await insert());
    await server.settings.put("privacy_rules", []);
    assert.ok(await insert());
    await server.settings.put("privacy_filters", [{ field: "title", pattern: "secret", action: "drop" }]);
    assert.not(await insert());
    await server.settings.delete("privacy_filters");
    assert.ok(await insert());
  });
});

test("hooks come first", async () => {
  const storage = memory();
  const beforeInsert = (write: { events: readonly { data: object }[] }): never =>
    ({ ...write, events: write.events.map((event) => ({ ...event, data: PRIVATE })) }) as never;
  await withServer({ door: "process", storage, hooks: { beforeInsert } }, async ({ server }) => {
    await server.buckets.create("w", BUCKET);
    await server.settings.put("privacy_rules", RULES);
    assert.is((await server.events.insert("w", { timestamp: micros(0), data: OPEN })).id, null);
  });
});

test("a setting that holds no rules is refused with its place, and the rules stay", async () => {
  await withRules(async (server) => {
    const wrong = [...RULES, { when: { key: "title", matches: "a(b" }, then: "drop" }];
    assert.match(
      await refusalOf(server.settings.put("privacy_rules", wrong)),
      /^INVALID_INPUT: privacy_rules\[2\]\.when\.matches: .*at character 2 of the pattern$/,
    );
    assert.equal(await server.settings.get("privacy_rules"), RULES);
    assert.is((await server.events.insert("w", { timestamp: micros(0), data: PRIVATE })).id, null);
  });
});

test("of a setting that got past the check, all rules that can be read are in force", async () => {
  const storage = memory();
  const told: string[] = [];
  const tell = (message: unknown): void => void told.push(String(message));
  await storage.settings.put("privacy_rules", [{ when: "never" }, ...(RULES as never[])]);
  await withServer(
    { door: "process", storage, logger: { info: tell, warn: tell, error: tell, debug: tell } as never },
    async ({ server }) => {
      await server.buckets.create("w", BUCKET);
      assert.is((await server.events.insert("w", { timestamp: micros(0), data: PRIVATE })).id, null);
      assert.match(told.join("\n"), /rule 0 of the setting privacy_rules does not apply: /);
    },
  );
});

test.run();
