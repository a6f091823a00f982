import type { Storage } from "./storage.js";

/** How many servers use each storage. On the global object, since frameworks load modules twice. */
const KEY = Symbol.for("activity-server.storage-users");
const registry = globalThis as { [KEY]?: WeakMap<Storage, number> };
registry[KEY] ??= new WeakMap();
const users: WeakMap<Storage, number> = registry[KEY];

/** Adds a user to a storage, which must leave it later. */
export function joinStorage(storage: Storage): void {
  users.set(storage, (users.get(storage) ?? 0) + 1);
}

/** Removes a user from a storage. @returns whether others still use it; if not, close it */
export function leaveStorage(storage: Storage): boolean {
  const others = (users.get(storage) ?? 1) - 1;
  if (others === 0) users.delete(storage);
  else users.set(storage, others);
  return others > 0;
}
