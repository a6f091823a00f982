// The keys below the base. docs/storage.md has them as a grammar; a change here is a change there.

/** Says who may write. */
export const OWNER = "owner";

/** A record that is written again and again, in several places in turn; see slots.ts. */
export function rootRecord(term: string): string {
  return `root-${term}`;
}

export function manifestRecord(term: string, bucketNo: number): string {
  return `manifest-${term}-${bucketNo.toString(36)}`;
}

export function journalRecord(term: string, bucketNo: number): string {
  return `journal-${term}-${bucketNo.toString(36)}`;
}

/** A place of a record. */
export function slotName(record: string, slot: number): string {
  return `${record}-${slot.toString(36)}`;
}

export function chunkName(term: string, bucketNo: number, chunkNo: number): string {
  return `chunk-${term}-${bucketNo.toString(36)}-${chunkNo.toString(36)}`;
}

const NAME = /^((root|manifest|journal|chunk)-([0-9a-f]{12})(?:-[0-9a-z]+)?)-[0-9a-z]+$/;

/** What a name says. */
export interface ParsedName {
  readonly kind: string;
  readonly term: string;
  /** The name without its last part: of a record's place, the record. */
  readonly record: string;
}

/** @returns `undefined` for a name that is not ours */
export function parseName(name: string): ParsedName | undefined {
  const [, record, kind, term] = NAME.exec(name) ?? [];
  return record === undefined || kind === undefined || term === undefined ? undefined : { kind, term, record };
}

/** A name for the time of one writer that no other writer has. */
export function newTerm(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
