// A folder as small as one can be that has something of everything, so that each of its bits can be damaged once.
import { cp, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { EventDraft } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucket } from "../tools/backups.js";
import { type Content, contentOf } from "../tools/damaged-folders.js";
import { type Embedded, openEmbedded } from "./embedded.js";

/** What a client is answered, by path; `undefined` for an answer that is no success. */
export type Answers = ReadonlyMap<string, string | undefined>;

/** A closed folder and what is in it. */
export interface SmallFolder {
  readonly folder: string;
  readonly content: Content;
  /** What clients see now, and saw after each earlier write; the newest first. */
  readonly states: readonly Answers[];
  /** Files with data, with their sizes in bytes. */
  readonly files: ReadonlyMap<string, number>;
}

const BUCKETS = ["main", "beats", "gone"];
const PATHS: readonly string[] = [
  "info",
  "settings",
  "buckets/",
  ...BUCKETS.flatMap((id) => [`buckets/${id}`, `buckets/${id}/events?limit=-1`, `buckets/${id}/events/count`]),
  "buckets/main/events?limit=3&end=1970-01-01T00:00:00.03Z",
];

/** No data are in these: LevelDB's log for people, its lock, the reserve of a full disk. */
const NO_DATA = new Set(["LOG", "LOG.old", "LOCK", "reserve"]);
/** So many at once become a segment at once; all but the newest. */
const BULK = 520;
const PULSETIME = 5_000_000;

type Write = (storage: Storage) => Promise<unknown>;

/** The first writes: what they leave is in a segment and in records, as far as it may be. */
const FIRST: readonly Write[] = [
  (storage) => storage.deviceId(),
  (storage) => storage.createBucket(bucket("main")),
  (storage) => storage.createBucket(bucket("gone"), rows(0, 5, "g")),
  (storage) => storage.putEvents("main", rows(0, BULK, "m")),
  (storage) => storage.settings.put("theme", { dark: true }),
];

/** The last writes. */
const LAST: readonly Write[] = [
  (storage) => storage.deleteBucket("gone"),
  (storage) => storage.putEvents("main", rows(BULK, 5, "m")),
  (storage) => storage.createBucket(bucket("beats")),
  (storage) => storage.heartbeat("beats", beat(0), PULSETIME),
  (storage) => storage.heartbeat("beats", beat(1), PULSETIME),
  (storage) => storage.settings.put("late", 1),
  (storage) => storage.heartbeat("beats", beat(2), PULSETIME),
];

/**
 * Makes a folder whose segment lies in a table, or in LevelDB's log; with a log of ours that holds a snapshot and
 * changes.
 */
export async function makeSmallFolder(folder: string, home: "table" | "log"): Promise<SmallFolder> {
  await mkdir(folder);
  // Of no length: a real one would be most of the folder.
  await writeFile(path.join(folder, "reserve"), "");
  const states: Answers[] = [];
  if (home === "table") {
    // The next opening makes a table of LevelDB's log.
    await opened(folder, (open) => write(open, FIRST, states));
    await opened(folder, (open) => write(open, LAST, states));
  } else {
    await opened(folder, (open) => write(open, [...FIRST, ...LAST], states));
  }
  return { folder, states, files: await filesOf(folder), content: await contentOfCopy(folder) };
}

/** Makes the writes, and notes what clients see after each. */
async function write(open: Embedded, writes: readonly Write[], states: Answers[]): Promise<void> {
  for (const each of writes) {
    await each(open.storage);
    states.unshift(await answersOf(open));
  }
}

/** What clients are answered. @throws Error for an answer that is neither success nor an error that says damage */
export async function answersOf({ read }: Embedded): Promise<Answers> {
  const answers = new Map<string, string | undefined>();
  for (const each of PATHS) {
    const { status, text } = await read(each);
    const isDamage = status >= 500 && /damage/i.test(text);
    if (status !== 200 && status !== 404 && !isDamage) throw new Error(`${each} was answered with ${status}: ${text}`);
    answers.set(each, isDamage ? undefined : `${status} ${text}`);
  }
  return answers;
}

async function opened(folder: string, body: (open: Embedded) => Promise<void>): Promise<void> {
  const open = await openEmbedded(folder);
  try {
    await body(open);
  } finally {
    await open.close();
  }
}

/** Opening a folder changes it a little, so another one is opened. */
async function contentOfCopy(folder: string): Promise<Content> {
  const copy = `${folder}.copy`;
  await cp(folder, copy, { recursive: true });
  let content: Content | undefined;
  await opened(copy, async ({ storage }) => {
    content = await contentOf(storage);
  });
  await rm(copy, { recursive: true });
  if (content === undefined) throw new Error("nothing was read");
  return content;
}

async function filesOf(folder: string): Promise<Map<string, number>> {
  const files = new Map<string, number>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || NO_DATA.has(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, file), (await stat(file)).size);
  }
  return files;
}

function rows(from: number, count: number, name: string): EventDraft[] {
  return Array.from({ length: count }, (_, index) => {
    // Short in a segment.
    return { timestamp: (from + index) * 100, duration: 0, data: { [name]: index % 2 } };
  });
}

function beat(second: number): EventDraft {
  return { timestamp: second * 1_000_000, duration: 0, data: { beat: second >> 1 } };
}
