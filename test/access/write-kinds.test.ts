// Every kind of write against buckets that are protected: who may do it, and who hears of it. A new kind needs a row.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { activityEvents } from "../../src/domain/activity-event.js";
import { ANYBODY, combineScopes } from "../../src/service/access/grants.js";
import { HOOK_NAMES, type WriteHooks } from "../../src/service/hooks.js";
import type { Service } from "../../src/service/service.js";
import { WRITE_KINDS } from "../../src/service/steps/commit.js";
import type { Write, WriteKind } from "../../src/service/write.js";
import { codeOf, refusalOf } from "../refusals.js";
import { serviceInMemory } from "./service.js";
import { BUCKET, EVENT, FREE, ID, LATER, ROWS, type Row } from "./write-rows.js";

const test = suite("kinds of writes");

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

for (const [access, scopes, message] of [
  ["open", [`append:${ID}`], "it needs write:diary, or send the events without ids"],
  ["append-only", ["write:*"], "bucket 'diary' is append-only"],
] as const) {
  test(`${scopes[0]} inserts events in a bucket that is ${access}, and replaces none`, async () => {
    const { service, heard } = await scene();
    await service.execute({ kind: "setAccess", bucketId: ID, access });
    const caller = service.actingFor(combineScopes(scopes));
    heard.length = 0;
    // An ID that no event has may be that of one which another server inserts meanwhile.
    for (const id of [1, 999]) {
      const drafts = [EVENT, { ...EVENT, id }];
      assert.match(await refusalOf(caller.execute({ kind: "insertEvents", bucketId: ID, drafts })), message);
    }
    assert.equal(heard, []);
    assert.is(await codeOf(caller.execute({ kind: "insertEvents", bucketId: ID, drafts: [EVENT] })), "done");
  });
}

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
