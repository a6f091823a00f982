import { DEVICE_KIND, deviceIdIn } from "../../src/storage/records.js";
import type { Storage, StorageTraits } from "../../src/storage/storage.js";
import { createBackup } from "./backup.js";
import { BUCKET_METHODS } from "./bucket-methods.js";
import type { Engine } from "./engine.js";
import { EVENT_METHODS } from "./event-methods.js";
import { READ_METHODS } from "./read-methods.js";
import { startScrub } from "./scrub.js";
import { TRANSACTIONS } from "./transaction.js";
import { computeUsage } from "./usage.js";
import { Records, Settings } from "./value-methods.js";
import { verifySegments } from "./verify.js";

/** An open storage; its methods are in the prototype. */
interface Opened extends Storage {
  readonly engine: Engine;
  readonly stopScrub: () => void;
}

/** Creates an open storage. */
export function openedStorage(engine: Engine, traits: StorageTraits): Storage {
  const own = { engine, traits, settings: new Settings(engine), stopScrub: startScrub(engine) };
  return Object.assign(Object.create(METHODS), own);
}

/** The methods that all open storages share: a process can have thousands. */
const METHODS: Omit<Storage, "traits" | "settings"> & ThisType<Opened> = {
  ...{ ...BUCKET_METHODS, ...EVENT_METHODS, ...READ_METHODS, ...TRANSACTIONS },
  async ready() {},
  deviceId() {
    return deviceIdIn(this.records(DEVICE_KIND));
  },
  records(kind) {
    return new Records(this.engine, kind);
  },
  backup() {
    return createBackup(this.engine);
  },
  eraseDeleted() {
    return this.engine.eraseDeleted();
  },
  async verify(onProgress) {
    this.engine.assertOpen();
    return (await verifySegments(this.engine, onProgress)) ?? { problems: [], buckets: 0, events: 0, bytes: 0 };
  },
  async usage() {
    return computeUsage(this.engine);
  },
  health() {
    return this.engine.health();
  },
  useMemory(memory) {
    this.engine.cache.useMemory(memory);
  },
  async close() {
    this.stopScrub();
    await this.engine.close();
  },
};
