import { storageClosed } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import { DEVICE_KIND, deviceIdIn } from "../../src/storage/records.js";
import type { DestroyableStorage, StorageTraits } from "../../src/storage/storage.js";
import { backup } from "./backup.js";
import { bucketMethods } from "./bucket-methods.js";
import { type ChangeNotifier, notifierOf } from "./change-notifier.js";
import { ChangeReaders } from "./changes.js";
import type { Connection } from "./connection.js";
import type { StorageContext } from "./context.js";
import { Database } from "./database.js";
import { eventMethods, sendHeartbeats } from "./event-methods.js";
import { createHealthCheck } from "./health.js";
import { LongReads } from "./long-read.js";
import { slotsOf } from "./long-read-slots.js";
import { NamespaceGeneration } from "./namespace-generation.js";
import { FULL_SCAN_MILLIS, runStatement } from "./pool.js";
import { readMethods } from "./reads.js";
import { transactions } from "./transaction.js";
import { readUsage } from "./usage.js";
import { valueMethods } from "./values.js";
import { verify } from "./verify.js";
import { versionMethods } from "./versions.js";
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
  const generation = new NamespaceGeneration(namespace);
  const sync = durability === "power-loss" ? "on" : "off";
  const database = new Database(() => connection.openPool(schema), schema, generation);
  let notifier: ChangeNotifier | undefined;
  const findNotifier = async (): Promise<ChangeNotifier> => {
    notifier = notifierOf(await connection.openPool(schema), schema);
    return notifier;
  };
  function notify(): void {
    if (notifier !== undefined) notifier.notify(namespace);
    else
      findNotifier().then(
        (found) => found.notify(namespace),
        () => undefined,
      );
  }
  const writer = new Writer({ database, namespace, generation }, sync, notify);
  const context: StorageContext = {
    database,
    namespace,
    writer,
    queue: new WriteQueue((beats) => sendHeartbeats(writer, beats)),
    longReads: new LongReads(),
    slots: async () => slotsOf(await connection.openPool(schema)),
  };
  const readers = new ChangeReaders(context, findNotifier, pollMillis);
  const { settings, records } = valueMethods(context);
  let closing: Promise<void> | undefined;
  let destroying: Promise<void> | undefined;

  /** Refuses new calls, and waits for those in progress. */
  async function stop(): Promise<void> {
    database.close();
    context.longReads.stop();
    readers.stop();
    await context.queue.idle();
    await notifier?.flush();
  }

  async function destroy(): Promise<void> {
    await stop();
    // The storage's own database object is closed and rejects calls.
    const own = new Database(() => connection.openPool(schema), schema);
    await own.retry((client) => runStatement(client, own.withSchema(DELETE), [namespace, sync], FULL_SCAN_MILLIS));
    await connection.close();
    closing ??= Promise.resolve();
  }

  return {
    traits,
    settings,
    records,
    ...bucketMethods(context),
    ...eventMethods(context),
    ...readMethods(context),
    ...versionMethods(context),
    ...transactions(context),
    changes: (after) => readers.feed(after),

    async ready() {
      database.assertOpen();
      await connection.openPool(schema);
      database.assertOpen();
    },

    deviceId: () => deviceIdIn(records(DEVICE_KIND)),
    backup: () => backup(context),
    verify: async (onProgress) => verify(context, onProgress),
    usage: () => readUsage(context),
    health: createHealthCheck(database),
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
