import type { Change, ChangePage } from "../../src/storage/changes.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, type Scenario, type Stage, withBucket } from "./case.js";
import { broken, holds, rejects, same, show } from "./check.js";
import { TEXTS } from "./values.js";

/** What an adapter tells of writes, where it tells something. */
export const changes: readonly Scenario[] = [
  { name: "changes: every kind of write is told, with what it was written to", needs: "changes", play: playKinds },
  { name: "changes: the first page comes at once, without a cursor an empty one", needs: "changes", play: playFirst },
  { name: "changes: a cursor goes on where it was, for every reader alike", needs: "changes", play: playCursor },
  { name: "changes: what is written again and again is told again", needs: "changes", play: playAgain },
  { name: "changes: a transaction tells what it did", needs: "changes", play: playTransaction },
  { name: "changes: a refused write is not told", needs: "changes", play: playRefused },
  { name: "changes: names of every kind come back", needs: "changes", play: playNames },
  { name: "changes: a reader that stops while it waits is let go", needs: "changes", play: playStop },
  { name: "changes: a cursor of other data is gone", needs: "changes", play: playForeign },
  { name: "changes: a cursor from before a reopening goes on, or is gone", needs: "changes", play: playReopened },
  { name: "changes: a reader is told that the storage was closed", needs: "changes", play: playClosed },
];

type Pages = AsyncIterator<ChangePage>;

function pagesOf(storage: Storage, after?: string): Pages {
  const feed = storage.changes?.(after) ?? broken("changes", "changes() gave nothing");
  return feed[Symbol.asyncIterator]();
}

async function pull(pages: Pages): Promise<ChangePage> {
  const { done, value } = await pages.next();
  if (done === true) broken("changePull", "the feed ended by itself");
  holds("changes", typeof value.cursor === "string" && Array.isArray(value.changes), `a page is ${show(value)}`);
  return value;
}

/** The cursor of now. */
async function nowOf(storage: Storage): Promise<string> {
  const pages = pagesOf(storage);
  const { cursor } = await pull(pages);
  await pages.return?.();
  return cursor;
}

/** On a line: a kind, and what it was written to. */
function lineOf(change: Change): string {
  return `${change.kind} ${JSON.stringify("bucketId" in change ? change.bucketId : change.key)}`;
}

/** Reads on until a change was told. @returns all lines so far, and the cursor behind them */
async function readUntil(
  storage: Storage,
  after: string,
  last: string,
): Promise<{ readonly lines: string[]; readonly cursor: string }> {
  const pages = pagesOf(storage, after);
  const lines: string[] = [];
  for (;;) {
    const page = await pull(pages);
    lines.push(...page.changes.map(lineOf));
    if (!lines.includes(last)) continue;
    await pages.return?.();
    return { lines, cursor: page.cursor };
  }
}

async function playKinds(stage: Stage): Promise<void> {
  const { storage } = stage;
  let id = 0;
  const writes: readonly (readonly [expected: string, write: () => Promise<unknown>])[] = [
    ['bucket-created "window"', () => storage.createBucket(bucketOf("window"))],
    ['bucket-updated "window"', () => storage.updateBucket("window", { hostname: "other" })],
    [
      'events-written "window"',
      async () => {
        id = (await storage.putEvents("window", [draftOf(10, 1), draftOf(20, 1)]))[0]?.id ?? 0;
      },
    ],
    ['events-written "window"', () => storage.heartbeat("window", draftOf(40, 1), 5)],
    ['events-written "window"', () => storage.heartbeat("window", draftOf(42, 1), 5)],
    ['events-written "window"', () => storage.mergeEvents("window", [draftOf(10, 1), draftOf(60, 1)])],
    ['events-deleted "window"', () => storage.deleteEvents("window", [id])],
    ['events-written "filled"', () => storage.createBucket(bucketOf("filled"), [draftOf(1)])],
    ['setting "key"', () => storage.settings.put("key", 1)],
    ['setting "key"', () => storage.settings.delete("key")],
    ['bucket-deleted "window"', () => storage.deleteBucket("window")],
    ['bucket-created "window"', () => storage.createBucket(bucketOf("window"))],
  ];
  let cursor = await nowOf(storage);
  for (const [expected, write] of writes) {
    await write();
    const told = await readUntil(storage, cursor, expected);
    cursor = told.cursor;
    const others = told.lines.filter((line) => line !== expected && line !== 'bucket-created "filled"');
    same("changes", others, [], `what is told besides ${expected}`);
  }
}

async function playFirst(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.putEvents("window", [draftOf(1)]);
  const pages = pagesOf(storage);
  const first = await pull(pages);
  same("changesNow", first.changes.length, 0, "changes of a first page without a cursor");
  const again = pagesOf(storage, first.cursor);
  same("changes", (await pull(again)).changes.map(lineOf), [], "changes of a first page when nothing was written");
  const waiting = pages.next();
  await storage.settings.put("key", 1);
  const { value } = await waiting;
  same("changes", value?.changes.map(lineOf), ['setting "key"'], "a page that was waited for");
  for (const each of [pages, again]) await each.return?.();
}

async function playCursor(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const begin = await nowOf(storage);
  for (const key of ["a", "b", "c"]) await storage.settings.put(key, 1);
  const first = await readUntil(storage, begin, 'setting "c"');
  same("changes", first.lines, ['setting "a"', 'setting "b"', 'setting "c"'], "three settings");
  await storage.heartbeat("window", draftOf(1), 5);
  await storage.settings.put("d", 1);
  const second = await readUntil(storage, first.cursor, 'setting "d"');
  same("changes", second.lines, ['events-written "window"', 'setting "d"'], "behind the cursor of a page");
  const all = await readUntil(storage, begin, 'setting "d"');
  same("changes", all.lines, [...first.lines, ...second.lines], "the same for another reader");
}

async function playAgain(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  let cursor = await nowOf(storage);
  for (let round = 0; round < 5; round++) {
    for (let beat = 0; beat < 20; beat++) await storage.heartbeat("window", draftOf(round * 100 + beat), 5);
    await storage.settings.put(`${round}`, 1);
    const { lines, cursor: next } = await readUntil(storage, cursor, `setting "${round}"`);
    const kinds = [...new Set(lines)];
    same("changes", kinds, ['events-written "window"', `setting "${round}"`], "heartbeats, then a setting");
    cursor = next;
  }
}

async function playTransaction(stage: Stage): Promise<void> {
  const { storage } = stage;
  if (storage.transact === undefined) return;
  for (const id of ["a", "b", "c", "d"]) await storage.createBucket(bucketOf(id), [draftOf(1)]);
  const begin = await nowOf(storage);
  await storage.transact(["a", "b", "c", "d", "new", "next"], () => [
    { kind: "create", bucket: bucketOf("new") },
    { kind: "update", bucketId: "a", patch: { hostname: "other" } },
    { kind: "putEvents", bucketId: "b", drafts: [draftOf(2)] },
    { kind: "rename", bucketId: "c", newId: "next" },
    { kind: "delete", bucketId: "d" },
  ]);
  await storage.settings.put("last", 1);
  const { lines } = await readUntil(storage, begin, 'setting "last"');
  const expected = [
    'bucket-created "new"',
    'bucket-updated "a"',
    'events-written "b"',
    'bucket-deleted "c"',
    'bucket-created "next"',
    'bucket-deleted "d"',
  ];
  for (const line of expected) holds("changes", lines.includes(line), `${line} is not among ${show(lines)}`);
}

async function playRefused(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const begin = await nowOf(storage);
  await storage.createBucket(bucketOf("window"));
  await storage.updateBucket("unknown", { hostname: "other" });
  await storage.deleteBucket("unknown");
  await storage.settings.delete("unknown");
  await storage.deleteEvents("window", [1]);
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a put", () => storage.putEvents("unknown", [draftOf(1)]));
  await storage.settings.put("last", 1);
  const { lines } = await readUntil(storage, begin, 'setting "last"');
  same("changes", lines, ['setting "last"'], "behind writes that changed nothing");
}

async function playNames(stage: Stage): Promise<void> {
  const { storage } = stage;
  const begin = await nowOf(storage);
  for (const text of TEXTS) {
    await storage.createBucket(bucketOf(text, { data: { id: "another" } }));
    await storage.heartbeat(text, draftOf(1), 5);
    await storage.settings.put(text, text);
  }
  await storage.settings.put("the last one", 1);
  const { lines } = await readUntil(storage, begin, 'setting "the last one"');
  const expected = TEXTS.flatMap((text) => {
    const name = JSON.stringify(text);
    return [`bucket-created ${name}`, `events-written ${name}`, `setting ${name}`];
  });
  same("lossless", [...lines].sort(), [...expected, 'setting "the last one"'].sort(), "names");
}

async function playStop(stage: Stage): Promise<void> {
  const { storage } = stage;
  const [first, second] = [pagesOf(storage), pagesOf(storage)];
  await pull(first);
  await pull(second);
  const waiting = first.next();
  await first.return?.();
  same("changePull", (await waiting).done, true, "a pull that waits when its reader stops");
  same("changePull", (await first.next()).done, true, "a pull behind the end");
  await storage.settings.put("key", 1);
  same("changes", (await pull(second)).changes.map(lineOf), ['setting "key"'], "what another reader is told");
  await second.return?.();
}

async function playForeign(stage: Stage): Promise<void> {
  const other = await stage.another();
  await other.settings.put("key", 1);
  for (const cursor of ["", "x", "1.2", "-1", "9999999999999999999999"]) {
    await rejects("changesGone", "CHANGES_GONE", `a cursor ${show(cursor)}`, () =>
      pull(pagesOf(stage.storage, cursor)),
    );
  }
}

async function playReopened(stage: Stage): Promise<void> {
  if (!stage.keeps) return;
  const cursor = await nowOf(stage.storage);
  await stage.storage.settings.put("before", 1);
  const storage = await stage.reopen();
  await storage.settings.put("behind", 1);
  const told = await readUntil(storage, cursor, 'setting "behind"').catch((error: { readonly code?: unknown }) => {
    if (error.code !== "CHANGES_GONE") throw error;
    return undefined;
  });
  if (told !== undefined) same("changes", told.lines, ['setting "before"', 'setting "behind"'], "over a reopening");
}

async function playClosed(stage: Stage): Promise<void> {
  const { storage } = stage;
  const pages = pagesOf(storage);
  await pull(pages);
  const waiting = rejects("closed", "STORAGE_CLOSED", "a pull that waits", () => pages.next());
  await storage.close();
  await waiting;
  await rejects("closed", "STORAGE_CLOSED", "a feed of a closed storage", () => pull(pagesOf(storage)));
}
