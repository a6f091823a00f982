import { createActivityServer } from "activity-server";
import { memory } from "activity-server/memory";

// A framework that loads changed files again must not begin with an empty memory again.
globalThis.tracker ??= createActivityServer({ storage: memory(), logger: console, basePath: "/tracker" });

export const server = globalThis.tracker;
