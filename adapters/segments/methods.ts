import type { Storage } from "../../src/storage/storage.js";
import { backupOf } from "./backup.js";
import { bucketMethods } from "./bucket-methods.js";
import type { Engine } from "./engine.js";
import { eventMethods } from "./event-methods.js";
import { readMethods } from "./read-methods.js";
import { transactions } from "./transaction.js";
import { valueMethods } from "./value-methods.js";
import { verifySegments } from "./verify.js";

/** The methods of a storage that an open engine has. */
export type EngineMethods = Omit<
  Required<Storage>,
  "traits" | "ready" | "deviceId" | "health" | "useLogger" | "close" | "versions" | "changes"
> & {
  versions(bucketIds: readonly (string | null)[]): readonly (string | undefined)[];
};

/** Puts the methods together. */
export function createMethods(engine: Engine): EngineMethods {
  return {
    ...valueMethods(engine),
    ...bucketMethods(engine),
    ...eventMethods(engine),
    ...readMethods(engine),
    ...transactions(engine),
    backup: () => backupOf(engine),
    eraseDeleted: () => engine.eraseDeleted(),
    async verify(onProgress) {
      engine.assertOpen();
      return (await verifySegments(engine, onProgress)) ?? { problems: [], buckets: 0, events: 0, bytes: 0 };
    },
  };
}
