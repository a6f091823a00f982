// Every kind of write against buckets that are protected: who may do it, and who hears of it. A new kind needs a row.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { activityEvents } from "../../src/domain/activity-event.js";
import { ANYBODY, combineScopes } from "../../src/service/access/grants.js";
import { HOOK_NAMES, type WriteHooks } from "../../src/service/hooks.js";
import { DraftList } from "../../src/service/import/spool.js";
import type { Service } from "../../src/service/service.js";
import { WRITE_KINDS } from "../../src/service/steps/commit.js";
import type { Write, WriteKind } from "../../src/service/write.js";
import { codeOf } from "../refusals.js";
import { serviceInMemory } from "./service.js";

const test = suite("kinds of writes");

const ID = "diary";
const FREE = "free";
/** Long ago, for retention. */
const EVENT = { timestamp: 1_500_000_000_000_000, duration: 60_000_000, data: { app: "x" } };
const LATER = { ...EVENT, timestamp: EVENT.timestamp + 3_600_000_000 };
const BUCKET = { type: "t", client: "c", hostname: "h", name: null, created: 0, data: {} };
const SELECTION = { filter: ["app=x"], preview: false, permanent: false };

interface Row<Kind extends WriteKind> {
  /**
   * How the write changes the bucket: it adds to it, alters it, or leaves it alone. `skips`: it passes over protected
   * buckets, whoever the caller is.
   */
  readonly does: "add" | "alter" | "nothing" | "skips";
  /** A write that concerns the bucket, and has an effect if it is allowed. */
  write(service: Service): Write<Kind> | Promise<Write<Kind>>;
}

async function entryOf(service: Service): Promise<string> {
  return (await service.execute({ kind: "deleteEvent", bucketId: ID, eventId: 2 }))?.entry ?? "";
}

const ROWS: { readonly [Kind in WriteKind]: Row<Kind> } = {
  heartbeat: {
    does: "add",
    write: () => ({ kind: "heartbeat", bucketId: ID, beat: EVENT, pulsetimeMicros: 1_000_000 }),
  },
  insertEvents: { does: "add", write: () => ({ kind: "insertEvents", bucketId: ID, drafts: [EVENT] }) },
  createBucket: {
    does: "nothing",
    write: () => ({ kind: "createBucket", bucketId: "new", bucket: BUCKET, drafts: [EVENT] }),
  },
  updateBucket: { does: "alter", write: () => ({ kind: "updateBucket", bucketId: ID, patch: { client: "other" } }) },
  deleteBucket: { does: "alter", write: () => ({ kind: "deleteBucket", bucketId: ID, isConfirmed: true }) },
  deleteEvent: { does: "alter", write: () => ({ kind: "deleteEvent", bucketId: ID, eventId: 1 }) },
  deleteEvents: { does: "alter", write: () => ({ kind: "deleteEvents", bucketId: ID, eventIds: [1] }) },
  deleteMatching: { does: "alter", write: () => ({ kind: "deleteMatching", buckets: {}, selection: SELECTION }) },
  splitEvent: {
    does: "alter",
    write: () => ({ kind: "splitEvent", bucketId: ID, eventId: 1, at: EVENT.timestamp + 1 }),
  },
  moveEvent: { does: "alter", write: () => ({ kind: "moveEvent", bucketId: ID, eventId: 1, targetId: FREE }) },
  importBuckets: {
    does: "add",
    write() {
      const events = new DraftList();
      events.add({ ...EVENT, data: { app: "imported" } });
      return { kind: "importBuckets", buckets: [{ bucketId: ID, draft: BUCKET, events }] };
    },
  },
  putSetting: { does: "nothing", write: () => ({ kind: "putSetting", key: "theme", value: "dark" }) },
  restoreTrash: {
    does: "add",
    async write(service) {
      const restoring = { bucket: null, merge: false };
      return { kind: "restoreTrash", entryId: await entryOf(service), restoring };
    },
  },
  removeTrash: {
    does: "alter",
    write: async (service) => ({ kind: "removeTrash", entryIds: [await entryOf(service)] }),
  },
  setAccess: { does: "nothing", write: () => ({ kind: "setAccess", bucketId: FREE, access: "append-only" }) },
  renameBucket: { does: "alter", write: () => ({ kind: "renameBucket", bucketId: ID, to: "new", changing: {} }) },
  setBucketHost: {
    does: "alter",
    write: () => ({ kind: "setBucketHost", bucketId: ID, hostname: "new", changing: {} }),
  },
  renameHost: { does: "alter", write: () => ({ kind: "renameHost", hostname: "h", to: "new", changing: {} }) },
  mergeBuckets: { does: "alter", write: () => ({ kind: "mergeBuckets", bucketId: FREE, from: [ID], changing: {} }) },
  undo: {
    does: "alter",
    async write(service) {
      const changing = {};
      const done = await service.execute({ kind: "setBucketHost", bucketId: ID, hostname: "h2", changing });
      return { kind: "undo", undoId: done.undo ?? "" };
    },
  },
  deleteRedirect: {
    does: "nothing",
    async write(service) {
      await service.execute({ kind: "createBucket", bucketId: "old", bucket: BUCKET, drafts: [] });
      await service.execute({ kind: "renameBucket", bucketId: "old", to: "new", changing: {} });
      return { kind: "deleteRedirect", from: "old" };
    },
  },
  applyPrivacy: {
    does: "skips",
    write() {
      const rules = [{ when: { key: "app", equals: "x" }, then: "drop" }] as never;
      return { kind: "applyPrivacy", application: { rules, bucket: ID, preview: false } };
    },
  },
  runRetention: {
    does: "skips",
    async write(service) {
      await service.execute({ kind: "putSetting", key: "retention_rules", value: [{ buckets: ID, keepDays: 365 }] });
      return { kind: "runRetention" };
    },
  },
};

/** A service with two buckets, and what its hooks and listeners have heard. */
async function scene(changed: (bucketId: string) => string = (bucketId) => bucketId) {
  const heard: string[] = [];
  const hook =
    (name: string) =>
    <W extends { readonly bucketId?: string }>(write: W): W => {
      heard.push(`${name} ${JSON.stringify(write)}`);
      return write.bucketId === undefined ? write : { ...write, bucketId: changed(write.bucketId) };
    };
  const hooks = Object.fromEntries(HOOK_NAMES.map((name) => [name, hook(name)])) as WriteHooks;
  const { service, announcer } = serviceInMemory(hooks);
  for (const bucketId of [ID, FREE]) {
    await service.execute({ kind: "createBucket", bucketId, bucket: BUCKET, drafts: [EVENT, LATER] });
  }
  for (const name of ["event", "heartbeat", "bucket", "import", "change"] as const) {
    announcer.on(name, (notice) => void heard.push(`${name} ${JSON.stringify(notice)}`));
  }
  return { service, heard };
}

/** Everything that a write can change. */
async function stateOf({ visible }: Service): Promise<string> {
  const buckets = await visible.listBuckets();
  const events = [];
  for (const { id } of buckets) {
    for await (const batch of (await visible.readEvents(id, {})).batches)
      events.push(id, activityEvents(batch.events()));
  }
  const access = await Promise.all(buckets.map(({ id }) => visible.getAccess(id)));
  const settings = [...(await visible.listSettings())];
  return JSON.stringify({ buckets, events, access, settings, trash: await visible.listTrash() });
}

const CALLERS = { operator: combineScopes(["admin"]), anybody: ANYBODY, key: combineScopes(["write:*"]) };

test("there is a row for each kind", () => assert.equal(Object.keys(ROWS).sort(), [...WRITE_KINDS].sort()));

for (const kind of WRITE_KINDS) {
  const { does, write }: Row<WriteKind> = ROWS[kind];
  for (const access of ["open", "append-only", "read-only"] as const) {
    for (const [name, grants] of Object.entries(CALLERS)) {
      const isBound = name !== "operator" && access !== "open";
      const isRefused = isBound && (does === "alter" || (does === "add" && access === "read-only"));
      const isSkipped = does === "skips" && access !== "open";
      test(`${kind} in a bucket that is ${access} by ${name}: ${isRefused ? "refused" : "done"}`, async () => {
        const { service, heard } = await scene();
        const asked = await write(service);
        await service.execute({ kind: "setAccess", bucketId: ID, access });
        const before = await stateOf(service);
        heard.length = 0;
        const code = await codeOf(service.actingFor(grants).execute(asked));
        assert.is(code, isRefused ? "FORBIDDEN" : "done");
        const after = await stateOf(service);
        // A redirect is in no state that callers see.
        if (isRefused || isSkipped) assert.is(after, before);
        else if (kind !== "deleteRedirect") assert.is.not(after, before);
        // Neither a hook nor a listener hears of what is refused.
        if (isRefused) assert.equal(heard, []);
      });
    }
  }
}

/** Writes that a key may not do, though its route lets it in: what the service sees decides. */
const BEYOND: readonly (readonly [kind: WriteKind, scopes: readonly string[], code: string])[] = [
  ["moveEvent", [`write:${ID}`], "FORBIDDEN"],
  ["deleteMatching", ["read:*", `write:${FREE}`], "FORBIDDEN"],
  ["restoreTrash", ["read:*", `write:${FREE}`], "NO_SUCH_ENTRY"],
];

for (const [kind, scopes, code] of BEYOND) {
  test(`${kind} by a key with ${scopes.join(" and ")} is refused`, async () => {
    const { service, heard } = await scene();
    const asked = await (ROWS[kind] as Row<WriteKind>).write(service);
    const before = await stateOf(service);
    heard.length = 0;
    assert.is(await codeOf(service.actingFor(combineScopes(scopes)).execute(asked)), code);
    assert.is(await stateOf(service), before);
    assert.equal(heard, []);
  });
}

test("a key with append only inserts events, and replaces none", async () => {
  const { service, heard } = await scene();
  const caller = service.actingFor(combineScopes([`append:${ID}`]));
  heard.length = 0;
  const replacing = { kind: "insertEvents", bucketId: ID, drafts: [{ ...EVENT, id: 1 }] } as const;
  assert.is(await codeOf(caller.execute(replacing)), "FORBIDDEN");
  assert.equal(heard, []);
  assert.is(await codeOf(caller.execute({ ...replacing, drafts: [EVENT] })), "done");
});

const MOVED = ["heartbeat", "insertEvents", "updateBucket", "deleteBucket", "deleteEvent"] as const;

for (const kind of MOVED) {
  test(`${kind}: the bucket that a hook chooses is checked as well`, async () => {
    const { service, heard } = await scene(() => ID);
    await service.execute({ kind: "setAccess", bucketId: ID, access: "read-only" });
    const before = await stateOf(service);
    const asked = { ...(await ROWS[kind].write(service)), bucketId: FREE } as Write;
    heard.length = 0;
    assert.is(await codeOf(service.actingFor(ANYBODY).execute(asked)), "FORBIDDEN");
    assert.is(heard.length, 1);
    assert.is(await stateOf(service), before);
  });
}

for (const kind of ["heartbeat", "insertEvents", "importBuckets"] as const) {
  test(`${kind}: the bucket that an ID redirects to decides, before a hook sees the events`, async () => {
    const { service, heard } = await scene();
    await service.execute({ kind: "renameBucket", bucketId: ID, to: "new", changing: {} });
    await service.execute({ kind: "setAccess", bucketId: "new", access: "read-only" });
    heard.length = 0;
    assert.is(await codeOf(service.actingFor(ANYBODY).execute(await ROWS[kind].write(service))), "FORBIDDEN");
    assert.equal(heard, []);
  });
}

test("a heartbeat without hooks and listeners takes the same steps", async () => {
  const { service } = serviceInMemory();
  await service.execute({ kind: "createBucket", bucketId: ID, bucket: BUCKET, drafts: [] });
  await service.execute({ kind: "renameBucket", bucketId: ID, to: "new", changing: {} });
  const caller = service.actingFor(ANYBODY);
  assert.is((await caller.heartbeat(ID, EVENT, 1_000_000)).id, 1);
  await service.execute({ kind: "setAccess", bucketId: "new", access: "read-only" });
  assert.is(await codeOf(caller.heartbeat(ID, EVENT, 1_000_000)), "FORBIDDEN");
});

test.run();
