// The keys below the base. docs/storage-unstorage.md has them as a grammar; a change here is a change there.

/** The record that says who may write. */
export const OWNER = "owner";

/** A kind of value whose name holds the epoch of its writer. */
export type Kind = "root" | "manifest" | "segment" | "log";

/** The name of a value: its kind, the epoch of its writer, and a number within that epoch. */
export function nameOf(kind: Kind, epoch: string, no: number): string {
  return `${kind}-${epoch}-${no.toString(36)}`;
}

const NAME = /^(root|manifest|segment|log)-([0-9a-f]{12})-[0-9a-z]+$/;

/** What a name says. */
export interface ParsedName {
  readonly kind: Kind;
  readonly epoch: string;
}

/** @returns `undefined` for a name that is not ours */
export function parseName(name: string): ParsedName | undefined {
  const [, kind, epoch] = NAME.exec(name) ?? [];
  return kind === undefined || epoch === undefined ? undefined : { kind: kind as Kind, epoch };
}

/** The name under which a damaged value of the log is set aside. No opening looks at it or removes it. */
export function lostName(name: string): string {
  return `lost-${name}`;
}

/** Whether a name is that of a value of this storage: keys of others may lie below the same base. */
export function isOurs(name: string): boolean {
  return name === OWNER || parseName(name.replace(/^lost-/, "")) !== undefined;
}

/** A random name for the time of one writer. */
export function newEpoch(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
