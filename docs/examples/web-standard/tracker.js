import { createActivityServer } from "activity-server";
import { memory } from "activity-server/memory";

// A framework that loads changed files again must not open the storage again.
globalThis.tracker ??= createActivityServer({ storage: memory(), logger: console, basePath: "/tracker" });

export const server = globalThis.tracker;
