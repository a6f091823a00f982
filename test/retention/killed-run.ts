import { leveldb } from "../../adapters/leveldb/index.js";
import { postgres } from "../../adapters/postgres/index.js";
import { createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { SET_BY_TEST } from "../../src/util/in-process.js";

// Child program of crash.test.ts: runs retention over the storage given, with a line after each transaction, until it
// is killed.

export const NOW: number = Date.parse("2024-06-01T12:00:00Z");
/** A clock that no server distrusts. */
export const CLOCK: () => number = Object.assign(() => NOW, { [SET_BY_TEST]: true });

/** How the program is told which storage to open. */
export interface Place {
  readonly path?: string;
  readonly connectionString?: string;
  readonly namespace?: string;
}

function openAt({ path, connectionString = "", namespace = "" }: Place): Storage {
  return path === undefined ? postgres({ connectionString, namespace }) : leveldb({ path });
}

const given = process.env["KILLED_RUN"];
if (given !== undefined) {
  const opened = openAt(JSON.parse(given) as Place);
  const storage: Storage = {
    ...opened,
    async transact(...args) {
      const isDone = await opened.transact?.(...args);
      process.stdout.write("transaction\n");
      // A kill comes in the middle of the run.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return isDone === true;
    },
  };
  await createActivityServer({ storage, clock: CLOCK }).retention.run();
}
