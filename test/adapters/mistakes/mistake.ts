import type { PromiseName } from "../../contract/promises.js";

/** What an author of an adapter gets wrong, as a change to the adapter of docs/examples/json-file-adapter. */
export interface Mistake {
  /** As it stands in docs/writing-an-adapter.md. */
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
export const NUMBER_DRAFTS = "numbered(drafts, now.nextId, (id) => events.some((each) => each.id === id))";
export const NUMBER_BEAT = "numbered(merged ? [] : [beat], now.nextId)";
export const EVENT_OF_BEAT = "merged ?? /** @type {StoredEvent} */ (own[0])";
export const KEEP_CHANGED = "for (const event of changed) byId.set(event.id, event);";
export const READ = "const found = select(shelfOf(current(), bucketId), range);";
export const YIELD = "yield found.slice(at, at + CHUNK);";
export const LOADED = "const state = JSON.parse(text);";
export const HEAD = "const CHUNK = 1000;";
export const OPENED = "let closed = false;";
