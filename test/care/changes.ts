import type { ActivityServer, PrivacyRule } from "../../src/index.js";
import { sendJson } from "../api/sending.js";

const START = Date.UTC(2024, 2, 1);
const HOUR = 3_600_000;
const MANY = 110;
const RULES: readonly PrivacyRule[] = [
  { when: { key: "app", equals: "bank" }, then: "drop" },
  { when: { key: "app", equals: "mail" }, then: { redact: { keys: ["title"] } } },
];

/** What changes need to know of what is there before. */
export interface Scene {
  /** Ids of events of bucket `a`, the oldest first. */
  readonly ids: readonly number[];
  readonly fewEntry: string;
  readonly manyEntry: string;
  readonly wholeEntry: string;
  readonly renamed: string;
  readonly merged: string;
  readonly private: string;
}

/** A change, which others meet. */
export interface Change {
  readonly name: string;
  /** Whether it is several steps, each by itself: others may come between. */
  readonly isInSteps?: boolean;
  /** Names of changes that may come between its steps, or after which it reports the same in another order. */
  readonly except?: readonly string[];
  run(server: ActivityServer, scene: Scene): Promise<unknown>;
}

let number = 0;

function draft(minute: number, app: string, seconds = 10) {
  const data = { number: number++, app, title: `page ${minute}` };
  return { timestamp: new Date(START + minute * 60_000), duration: { seconds }, data };
}

function drafts(count: number, apps: readonly string[] = ["bank", "mail", "code"]) {
  return Array.from({ length: count }, (_, index) => draft(index * 10, apps[index % apps.length] as string));
}

const bucket = (hostname: string) => ({ type: "t", client: "c", hostname });

/** Something of all that can be changed: buckets, entries of the trash, what can be undone, rules. */
export async function fill(server: ActivityServer): Promise<Scene> {
  number = 0;
  await server.buckets.create("a", bucket("desk"), [...drafts(30), ...drafts(MANY, ["gone"]), ...drafts(3, ["few"])]);
  await server.buckets.create("b", bucket("desk"), drafts(5));
  for (const id of ["d", "e1", "m", "m1", "p"]) await server.buckets.create(id, bucket("other"), drafts(6));
  const old = drafts(6).map((event) => ({
    ...event,
    timestamp: new Date(event.timestamp.getTime() - 100 * 24 * HOUR),
  }));
  await server.buckets.create("r", bucket("other"), [...old, ...drafts(2)]);
  await server.settings.put("retention_rules", [{ buckets: "r*", keepDays: 30 }]);
  const fewEntry = (await server.events.deleteMatching("a", { filter: ["app=few"] })).entry as string;
  const manyEntry = (await server.events.deleteMatching("a", { filter: ["app=gone"] })).entry as string;
  const wholeEntry = (await server.buckets.delete("d")).entry as string;
  const renamed = (await server.identity.rename("e1", { to: "e2" })).undo as string;
  const merged = (await server.identity.merge("m", { from: ["m1"] })).undo as string;
  const { buckets } = await server.privacy.apply({ rules: RULES, buckets: "p" });
  const ids = (await server.events.read("a", { order: "oldest" }).toArray()).map(({ id }) => id);
  return { ids, fewEntry, manyEntry, wholeEntry, renamed, merged, private: buckets[0]?.undo as string };
}

function imported(id: string, count: number) {
  const events = Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(START + index * 7_000_000).toISOString(),
    duration: 3,
    data: { number: 10_000 + index },
  }));
  const record = { id, type: "t", client: "c", hostname: "desk", created: "2024-03-01T00:00:00Z", events };
  return { buckets: { [id]: record } };
}

async function importInto(server: ActivityServer, id: string, count: number): Promise<unknown> {
  const response = await sendJson(server, "POST", "/api/0/import", imported(id, count));
  return [response.status, await response.json()];
}

const MAKE_AGAIN = "delete a bucket and make it again";

/** Everything that reads what there is and changes it then, and simple writes that come between. */
export const CHANGES: readonly Change[] = [
  { name: "delete by filter", run: (server) => server.events.deleteMatching("a", { filter: ["app=bank"] }) },
  {
    name: "delete by filter everywhere",
    run: (server) => server.events.deleteMatchingIn({ hosts: ["desk"], filter: ["app=mail"] }),
  },
  { name: "delete a bucket", run: (server) => server.buckets.delete("a") },
  { name: "delete an event", run: (server, { ids }) => server.events.delete("a", ids[0] as number) },
  {
    name: "replace an event",
    run: (server, { ids }) =>
      server.events.insert("a", { ...draft(0, "mail"), data: { number: 9_000, app: "mail" }, id: ids[0] as number }),
  },
  {
    name: "insert an event",
    run: (server) => server.events.insert("a", { ...draft(5, "x"), data: { number: 9_001 } }),
  },
  {
    name: "heartbeat",
    run: (server) =>
      server.heartbeat("a", { timestamp: new Date(START + 290 * 60_000), data: { number: 9_002, app: "bank" } }, "60s"),
  },
  {
    name: "split an event",
    run: (server, { ids }) => server.events.split("a", ids[0] as number, new Date(START + 5_000)),
  },
  { name: "move an event", run: (server, { ids }) => server.events.move("a", ids[0] as number, "b") },
  { name: "restore few", run: (server, { fewEntry }) => server.trash.restore(fewEntry) },
  { name: "restore many", run: (server, { manyEntry }) => server.trash.restore(manyEntry) },
  { name: "restore a bucket", run: (server, { wholeEntry }) => server.trash.restore(wholeEntry) },
  {
    name: "restore a bucket into another one",
    run: (server, { wholeEntry }) => server.trash.restore(wholeEntry, { bucket: "a", merge: true }),
  },
  { name: "remove an entry", run: (server, { manyEntry }) => server.trash.delete(manyEntry) },
  { name: "empty the trash", isInSteps: true, run: (server) => server.trash.empty() },
  { name: "apply rules", run: (server) => server.privacy.apply({ rules: RULES, buckets: "a" }) },
  { name: "undo rules", run: (server, scene) => server.identity.undo(scene.private) },
  { name: "retention", run: (server) => server.retention.run() },
  { name: "rename", run: (server) => server.identity.rename("a", { to: "z" }) },
  { name: "rename to another id", run: (server) => server.identity.rename("a", { to: "y", redirect: false }) },
  { name: "rename what rules were applied to", run: (server) => server.identity.rename("p", { to: "q" }) },
  { name: "rename what retention is about", run: (server) => server.identity.rename("r", { to: "r2" }) },
  { name: "rename a host", except: [MAKE_AGAIN], run: (server) => server.identity.renameHost("desk", { to: "lap" }) },
  { name: "set a hostname", run: (server) => server.identity.setHostname("a", { hostname: "new" }) },
  { name: "merge", run: (server) => server.identity.merge("a", { from: ["b"] }) },
  { name: "merge the other way", run: (server) => server.identity.merge("b", { from: ["a"] }) },
  { name: "undo a renaming", run: (server, { renamed }) => server.identity.undo(renamed) },
  { name: "undo a merging", run: (server, { merged }) => server.identity.undo(merged) },
  { name: "delete a redirect", run: (server) => server.identity.deleteRedirect("e1") },
  { name: "import", except: ["delete a bucket", "rename to another id"], run: (server) => importInto(server, "a", 10) },
  {
    name: "import a new bucket",
    except: ["import a new bucket", "rename a host"],
    run: (server) => importInto(server, "z", 10),
  },
  {
    name: "create a bucket",
    run: (server) => server.buckets.create("z", bucket("desk"), [{ ...draft(1, "z"), data: { number: 9_004 } }]),
  },
  { name: "create a bucket that exists", run: (server) => server.buckets.create("a", bucket("desk")) },
  { name: "update a bucket", run: (server) => server.buckets.update("a", { data: { note: 1 } }) },
  { name: "protect a bucket", run: (server) => server.buckets.setAccess("a", "read-only") },
  {
    name: MAKE_AGAIN,
    isInSteps: true,
    async run(server) {
      await server.buckets.delete("a");
      await server.buckets.create("a", bucket("desk"), [{ ...draft(1, "bank"), data: { number: 9_003, app: "bank" } }]);
    },
  },
  { name: "other rules of retention", run: (server) => server.settings.put("retention_rules", []) },
  { name: "add a key", run: async (server) => (await server.keys.add({ name: "k", scopes: ["read:*"] })).name },
];
