import type { Storage } from "./storage.js";

/**
 * Deletes everything of a storage permanently, and closes it.
 *
 * @throws what `destroy` throws; it may be called again
 */
export function destroyStorage(storage: Storage): Promise<void> {
  return storage.destroy === undefined ? destroyByMethods(storage) : storage.destroy();
}

/** For adapters without such a method. */
async function destroyByMethods(storage: Storage): Promise<void> {
  for (let found = true; found; ) {
    found = false;
    for (const { id } of await storage.listBuckets()) await storage.deleteBucket(id);
    for await (const item of storage.backup()) {
      found = true;
      if (item.kind === "setting") await storage.settings.delete(item.key);
      if (item.kind === "record") await storage.records(item.recordKind).compareAndSet(item.key, item.value, undefined);
    }
  }
  await storage.eraseDeleted?.();
  await storage.close();
}
