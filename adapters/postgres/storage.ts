import { storageClosed } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import { DEVICE_KIND, deviceIdIn } from "../../src/storage/records.js";
import type { DestroyableStorage, StorageTraits } from "../../src/storage/storage.js";
import { type Bell, bellOf } from "./bell.js";
import { bucketMethods } from "./bucket-methods.js";
import { ChangeReaders } from "./changes.js";
import type { Connection } from "./connection.js";
import { Database } from "./database.js";
import { eventMethods, sendBeats } from "./event-methods.js";
import type { Ground } from "./ground.js";
import { healthOf } from "./health.js";
import { HeldReads } from "./held-read.js";
import { Incarnation } from "./incarnation.js";
import { ENDLESS_MILLIS, rowsOf } from "./pool.js";
import { readMethods } from "./reads.js";
import { slotsOf } from "./slots.js";
import { backup } from "./snapshot.js";
import { transactions } from "./transaction.js";
import { usageOf } from "./usage.js";
import { valueMethods } from "./values.js";
import { verify } from "./verify.js";
import { WriteQueue } from "./write-queue.js";
import { Writer } from "./writer.js";

/** The location of a storage's data, and its durability. */
export interface StorageOptions {
  readonly connection: Connection;
  readonly schema: string;
  readonly namespace: string;
  readonly durability: "process-crash" | "power-loss";
  readonly pollMillis: number;
}

const DELETE = 'select :"schema".delete_namespace($1, $2)';

/** Creates a storage without a cache: each call reads the database. */
export function createStorage(options: StorageOptions): DestroyableStorage {
  const { connection, schema, namespace, durability, pollMillis } = options;
  const traits: StorageTraits = { adapter: "postgres", durability, snapshotReads: true, multiProcess: true };
  const incarnation = new Incarnation(namespace);
  const sync = durability === "power-loss" ? "on" : "off";
  const database = new Database(() => connection.opened(schema), schema, incarnation);
  let bell: Bell | undefined;
  const findBell = async (): Promise<Bell> => {
    bell = bellOf(await connection.opened(schema), schema);
    return bell;
  };
  function ring(): void {
    if (bell !== undefined) bell.ring(namespace);
    else
      findBell().then(
        (found) => found.ring(namespace),
        () => undefined,
      );
  }
  const writer = new Writer({ database, namespace, incarnation }, sync, ring);
  const ground: Ground = {
    database,
    namespace,
    writer,
    queue: new WriteQueue((beats) => sendBeats(writer, beats)),
    held: new HeldReads(),
    slots: async () => slotsOf(await connection.opened(schema)),
  };
  const readers = new ChangeReaders(ground, findBell, pollMillis);
  const { settings, records } = valueMethods(ground);
  let closing: Promise<void> | undefined;
  let destroying: Promise<void> | undefined;

  /** Refuses new calls, and waits for those in progress. */
  async function stop(): Promise<void> {
    database.close();
    ground.held.stop();
    readers.stop();
    await ground.queue.idle();
    await bell?.settled();
  }

  async function destroy(): Promise<void> {
    await stop();
    // The storage's own database object is closed and rejects calls.
    const own = new Database(() => connection.opened(schema), schema);
    await own.attempt((client) => rowsOf(client, own.named(DELETE), [namespace, sync], ENDLESS_MILLIS));
    await connection.close();
    closing ??= Promise.resolve();
  }

  return {
    traits,
    settings,
    records,
    ...bucketMethods(ground),
    ...eventMethods(ground),
    ...readMethods(ground),
    ...transactions(ground),
    changes: (after) => readers.feed(after),

    async ready() {
      database.assertOpen();
      await connection.opened(schema);
      database.assertOpen();
    },

    deviceId: () => deviceIdIn(records(DEVICE_KIND)),
    backup: () => backup(ground),
    verify: async (onProgress) => verify(ground, onProgress),
    usage: () => usageOf(ground),
    health: healthOf(database),
    useLogger: (logger: Logger) => connection.useLogger(logger),

    close() {
      const ended = destroying?.catch(() => undefined) ?? stop();
      closing ??= ended.then(() => connection.close());
      return closing;
    },

    destroy() {
      if (closing !== undefined && destroying === undefined) return Promise.reject(storageClosed());
      destroying ??= destroy().catch((thrown: unknown) => {
        // The next call repeats it.
        destroying = undefined;
        throw thrown;
      });
      return destroying;
    },
  };
}
