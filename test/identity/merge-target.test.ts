// Which operations reset what the next heartbeat extends; docs/guides/buckets.md#what-resets-the-merge-target
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServer } from "../../src/index.js";
import { textOf } from "../client/failure-of.js";
import { BUCKET, finish, onEach } from "../trash/grounds.js";

const test = suite("the merge target");

const NOON = Date.parse("2024-03-01T12:00:00Z");

function event(from: number, to: number, app: string) {
  return { timestamp: new Date(NOON + from * 1000), duration: { seconds: to - from }, data: { app } };
}

async function idOf(server: ActivityServer, app: string): Promise<number> {
  const events = await server.events.read("a").toArray();
  return events.find(({ data }) => data["app"] === app)?.id as number;
}

type Operate = (server: ActivityServer) => Promise<unknown>;

const RESETS: Readonly<Record<string, Operate>> = {
  insertion: (server) => server.events.insert("a", event(0, 1, "new")),
  async import(server) {
    await server.import((await textOf(server.export("b"))).replaceAll('"b"', '"a"'));
  },
  splitting: async (server) => server.events.split("a", await idOf(server, "newest"), new Date(NOON + 305_000)),
  async "restoring events"(server) {
    const deleted = await server.events.delete("a", await idOf(server, "newest"));
    await server.trash.restore(deleted?.entry as string);
  },
  "a merge": (server) => server.identity.merge("a", { from: ["b"] }),
  "hiding events": (server) => {
    const then = { redact: { keys: ["title"] } };
    return server.privacy.apply({ rules: [{ when: { key: "title", equals: "private" }, then }] });
  },
  async "a summary"(server) {
    await server.settings.put("retention_rules", [{ buckets: "a", summarizeAfterDays: 1 }]);
    await server.retention.run();
  },
  async "moving an event there"(server) {
    const [other] = await server.events.read("b").toArray();
    await server.events.move("b", other?.id as number, "a");
  },
};

const KEEPS: Readonly<Record<string, Operate>> = {
  "deleting another event": async (server) => server.events.delete("a", await idOf(server, "newest")),
  "deleting by filter": (server) => server.events.deleteMatching("a", { filter: ["app=newest"] }),
  "moving another event away": async (server) => server.events.move("a", await idOf(server, "newest"), "b"),
  async "renaming there and back"(server) {
    await server.identity.rename("a", { to: "c" });
    await server.identity.rename("c", { to: "a" });
  },
  async "deleting and restoring the bucket"(server) {
    const { entry: entryId } = await server.buckets.delete("a");
    await server.trash.restore(entryId as string);
  },
  "dropping other events": (server) => {
    return server.privacy.apply({ rules: [{ when: { key: "title", equals: "private" }, then: "drop" }] });
  },
  async "deleting what is too short"(server) {
    await server.settings.put("retention_rules", [{ buckets: "a", dropShorterThan: 3 }]);
    await server.retention.run();
  },
};

/** Whether a heartbeat after an operation extends what the one before it made. */
async function isKept(server: ActivityServer, operate: Operate): Promise<boolean> {
  const early = { ...event(0, 1, "private"), data: { app: "private", title: "private" } };
  await server.buckets.create("a", BUCKET, [early, event(10, 12, "same"), event(13, 15, "same")]);
  await server.events.insert("a", event(300, 310, "newest"));
  await server.buckets.create("b", BUCKET, [event(20, 30, "other")]);
  const beat = await server.heartbeat("a", event(100, 105, "target"), { seconds: 1 });
  await operate(server);
  const next = await server.heartbeat("a", event(106, 107, "target"), { seconds: 5 });
  for (const { id } of await server.buckets.list()) await server.buckets.delete(id, { permanent: true });
  await server.trash.empty();
  for (const { from } of await server.identity.redirects()) await server.identity.deleteRedirect(from);
  await server.settings.put("retention_rules", null);
  return next.id === beat.id;
}

test("what writes events resets it; renaming and deleting other events do not", () =>
  onEach(async ({ open, clock }) => {
    clock.set(new Date(NOON + 10 * 86_400_000));
    const server = open();
    for (const [name, operate] of Object.entries(RESETS)) assert.not.ok(await isKept(server, operate), name);
    for (const [name, operate] of Object.entries(KEEPS)) assert.ok(await isKept(server, operate), name);
  }));

test("the grounds end", finish);

test.run();
