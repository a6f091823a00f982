import type { PromiseName } from "../../contract/promises.js";

/** What an author of an adapter gets wrong, as a change to the adapter of docs/examples/json-file-adapter. */
export interface Mistake {
  /** As it stands in docs/guides/writing-an-adapter.md. */
  readonly mistake: string;
  /** A case that fails. */
  readonly caught: string;
  /** The promise that its failure names. */
  readonly promise: PromiseName;
  /** A part of what it tells besides. */
  readonly told: string;
  /** Texts of the adapter, each of which stands there once, with what takes their place. */
  readonly edits: readonly (readonly [string, string])[];
}

/** Texts of the adapter that several mistakes change. */
export const NUMBERED = "numbered(drafts, state.nextId, (id) => events.some((each) => each.id === id))";
export const STORED = "return [{ bucket, events: placed(events, stored), nextId }, stored];";
export const KEEP_CHANGED = "for (const event of changed) byId.set(event.id, event);";
export const READ = "const found = select(stateOf(await current(), bucketId), range);";
export const BATCHES = "return { version: undefined, batches: batchesOf(found) };";
export const YIELDS =
  "for (let at = 0; at < events.length; at += ROWS) yield EventBatch.from(events.slice(at, at + ROWS));";
export const PARSED = "= JSON.parse(text);";
export const ROWS = "const ROWS = 1000;";
export const OPENED = "let closed = false;";
export const CLOSE = "async close() {";
export const PUT = "putEvents: (bucketId, drafts) => writeTo(bucketId, (state) => withDrafts(state, drafts)),";
export const COUNT = "countEvents: async (bucketId, range) =>";
