import { DEVICE_KIND, deviceIdIn } from "../../src/storage/records.js";
import type { Storage, StorageTraits } from "../../src/storage/storage.js";
import { createBackup } from "./backup.js";
import { bucketMethods } from "./bucket-methods.js";
import type { Engine } from "./engine.js";
import { eventMethods } from "./event-methods.js";
import { readMethods } from "./read-methods.js";
import { startScrub } from "./scrub.js";
import { transactions } from "./transaction.js";
import { computeUsage } from "./usage.js";
import { valueMethods } from "./value-methods.js";
import { verifySegments } from "./verify.js";

/** Combines the methods of an open storage. */
export function openedStorage(engine: Engine, traits: StorageTraits): Storage {
  const values = valueMethods(engine);
  const stopScrub = startScrub(engine);
  return {
    traits,
    ...values,
    ...bucketMethods(engine),
    ...eventMethods(engine),
    ...readMethods(engine),
    ...transactions(engine),
    ready: async () => undefined,
    deviceId: () => deviceIdIn(values.records(DEVICE_KIND)),
    backup: () => createBackup(engine),
    eraseDeleted: () => engine.eraseDeleted(),
    async verify(onProgress) {
      engine.assertOpen();
      return (await verifySegments(engine, onProgress)) ?? { problems: [], buckets: 0, events: 0, bytes: 0 };
    },
    usage: async () => computeUsage(engine),
    health: () => engine.health(),
    useMemory: (memory) => engine.cache.useMemory(memory),
    async close() {
      stopScrub();
      await engine.close();
    },
  };
}
