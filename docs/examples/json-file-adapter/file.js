// The file: read at the opening, and replaced as a whole by each write.
import { mkdir, open, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ActivityError, storageFull } from "activity-server/adapter";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Json} Json */
/** @typedef {[string, Json][]} Entries */
// What the file says.
/** @typedef {{ settings: Entries, records: [string, Entries][], buckets: import("./state.js").BucketState[] }} Kept */

/** @param {string} path @returns {Promise<State>} */
export async function load(path) {
  const text = await readFile(path, "utf8").catch((cause) => {
    if (cause.code !== "ENOENT") throw new ActivityError("STORAGE_UNUSABLE", "the file cannot be read", { cause });
  });
  if (text === undefined) return create(path);
  try {
    /** @type {Kept} */
    const { settings, records, buckets } = JSON.parse(text);
    return {
      settings: new Map(settings),
      records: new Map(records.map(([kind, own]) => [kind, new Map(own)])),
      buckets: new Map(buckets.map((state) => [state.bucket.id, state])),
    };
  } catch (cause) {
    throw new ActivityError("STORAGE_CORRUPT", "the file does not hold a storage", { cause });
  }
}

/** @param {string} path @returns {Promise<State>} */
async function create(path) {
  /** @type {State} */
  const empty = { settings: new Map(), records: new Map(), buckets: new Map() };
  try {
    await mkdir(dirname(path), { recursive: true });
    await save(path, empty);
    return empty;
  } catch (cause) {
    throw failureOf(cause);
  }
}

/** Puts a new file in the place of the old one, so that there is always a whole one.
 * @param {string} path @param {State} state */
export async function save(path, { settings, records, buckets }) {
  const kinds = Array.from(records, ([kind, own]) => [kind, [...own]]);
  const text = JSON.stringify({ settings: [...settings], records: kinds, buckets: [...buckets.values()] });
  await writeFile(`${path}.new`, text, { flush: true, mode: 0o600 });
  await rename(`${path}.new`, path);
  if (process.platform === "win32") return;
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
}

/** What a failed write rejects with. Its message reaches clients, so it names no path; the cause does.
 * @param {unknown} cause */
export function failureOf(cause) {
  const isFull = cause instanceof Error && "code" in cause && /^(ENOSPC|EDQUOT)$/.test(String(cause.code));
  if (isFull) return storageFull({ cause });
  return new ActivityError("STORAGE_FAILED", "the file cannot be written; nothing of this was stored", { cause });
}
