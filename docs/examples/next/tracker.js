import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

// Next loads this file once for each route, and again after a change.
globalThis.tracker ??= createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  basePath: "/tracker",
});

export const tracker = globalThis.tracker;
