// The keys below the base. docs/reference/format-unstorage.md has their grammar; change both together.

/** The record that names the current writer. */
export const OWNER = "owner";

/** A kind of value whose name contains its writer's epoch. */
export type Kind = "root" | "manifest" | "segment" | "log";

/** The name of a value: its kind, the epoch of its writer, and a number within that epoch. */
export function valueName(kind: Kind, epoch: string, no: number): string {
  return `${kind}-${epoch}-${no.toString(36)}`;
}

const NAME = /^(root|manifest|segment|log)-([0-9a-f]{12})-[0-9a-z]+$/;

/** The parts of a name. */
export interface ParsedName {
  readonly kind: Kind;
  readonly epoch: string;
}

/** @returns `undefined` for a foreign name */
export function parseName(name: string): ParsedName | undefined {
  const [, kind, epoch] = NAME.exec(name) ?? [];
  return kind === undefined || epoch === undefined ? undefined : { kind: kind as Kind, epoch };
}

/** The name for a damaged value of the log. No opening reads or removes it. */
export function lostName(name: string): string {
  return `lost-${name}`;
}

/** Whether a value with this name belongs to this storage. The same base may also contain foreign keys. */
export function isOurs(name: string): boolean {
  return name === OWNER || parseName(name.replace(/^lost-/, "")) !== undefined;
}

/** A random name for one writer's epoch. */
export function newEpoch(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
