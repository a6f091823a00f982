import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonObject, type JsonValue, sameJson } from "../../domain/json.js";
import type { Micros } from "../../domain/time.js";
import { ActivityError, quote } from "../../errors.js";
import type { RecordStore } from "../../storage/records.js";
import type { TransactionChange, TransactionView } from "../../storage/transaction.js";

/** Records of this kind contain undos by ID. */
export const UNDO_KIND = "undo";

const DAY: Micros = 86_400_000_000;
/** How long a change can be undone. */
export const UNDO_DURATION: Micros = 30 * DAY;

/** Until when a change that needs its trash entry can be undone. */
export function undoExpiry(now: Micros, { length }: { readonly length: Micros }): Micros {
  return now + Math.min(UNDO_DURATION, length);
}

/** The undone change: buckets got new IDs, a new hostname, or were merged; or privacy rules changed events. */
export type UndoKind = Undo["kind"];

/** A change that can be undone. */
export type Undo = DomainOf<"Undo">;

/** A change with the data for its undo, in the format of its kind. */
export interface StoredUndo extends Undo {
  readonly steps: JsonObject;
  /** The record that it was read from; `undefined` for a new one. */
  readonly record?: JsonValue;
}

/** Changes that can be undone, in private records. */
export class UndoLog {
  readonly #store: () => RecordStore;
  readonly #now: () => Promise<Micros>;

  constructor(store: () => RecordStore, now: () => Promise<Micros>) {
    this.#store = store;
    this.#now = now;
  }

  /** The latest first. @param entryIds IDs of existing trash entries, which some changes need */
  async list(entryIds: ReadonlySet<JsonValue>): Promise<Undo[]> {
    const all = (await this.listUnexpired()).filter(
      ({ steps: { entryId } }) => entryId === undefined || entryIds.has(entryId),
    );
    return all.map(({ steps: _, record: __, ...shown }) => shown);
  }

  /** Changes that have not expired, the latest first, even if the trash no longer contains their data. */
  async listUnexpired(): Promise<StoredUndo[]> {
    const now = await this.#now();
    return (await this.#all()).filter(({ expires }) => expires > now).sort((a, b) => b.time - a.time);
  }

  /** @throws ActivityError `NO_SUCH_UNDO` */
  async get(id: string): Promise<StoredUndo> {
    const record = await this.#store().get(id);
    const kept = record === undefined ? undefined : parseUndo(id, record);
    if (kept === undefined || kept.expires <= (await this.#now())) throw noSuchUndo(id);
    return kept;
  }

  /** Deletes expired undos. */
  async deleteExpired(): Promise<void> {
    const now = await this.#now();
    for (const { id, expires, record } of await this.#all()) {
      if (expires <= now) await this.#store().compareAndSet(id, record, undefined);
    }
  }

  async #all(): Promise<StoredUndo[]> {
    const all = Array.from(await this.#store().list(), ([id, record]) => parseUndo(id, record));
    return all.filter((kept) => kept !== undefined);
  }
}

export function noSuchUndo(id: string): ActivityError {
  const reason = "if something could, it was undone already or has expired";
  return new ActivityError("NO_SUCH_UNDO", `no change with the undo ID ${quote(id)}; ${reason}`);
}

/** The id of a new undo. */
export function newUndoId(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, 12);
}

/** The change that stores an undo. */
export function createUndoRecord({ id, record: _, ...kept }: StoredUndo): TransactionChange {
  const value = { ...kept, from: [...kept.from], to: [...kept.to] };
  return { kind: "record", recordKind: UNDO_KIND, key: id, expected: undefined, value };
}

/** The change that deletes an undo; with it only one of two concurrent undos succeeds. */
export function deleteUndoRecord({ id, record }: StoredUndo): TransactionChange {
  return { kind: "record", recordKind: UNDO_KIND, key: id, expected: record, value: undefined };
}

/** Parses a record; `undefined` for one of another version. */
export function parseUndo(id: string, record: JsonValue): StoredUndo | undefined {
  if (!isJsonObject(record) || !isJsonObject(record.steps) || typeof record.time !== "number") return undefined;
  return { ...(record as unknown as Omit<StoredUndo, "id" | "record">), id, record };
}

/** A record before and after a change; `null`: it did not exist. */
export type RecordStep = readonly [kind: string, key: string, before: JsonValue, after: JsonValue];

/** The changes of records in some steps. */
export function toRecordChanges(steps: readonly RecordStep[]): TransactionChange[] {
  return steps.map(([recordKind, key, before, after]) => ({
    kind: "record",
    recordKind,
    key,
    expected: before ?? undefined,
    value: after ?? undefined,
  }));
}

/** The changes that undo steps; a record that has changed since stays unchanged. */
export async function revertRecords(view: TransactionView, steps: readonly RecordStep[]): Promise<TransactionChange[]> {
  const back: RecordStep[] = [];
  for (const [kind, key, before, after] of steps) {
    const held = (await view.getRecord(kind, key)) ?? null;
    if (sameJson(held, after)) back.push([kind, key, after, before]);
  }
  return toRecordChanges(back);
}
