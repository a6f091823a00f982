import { allow, createActivityServer, deny } from "activity-server";
import { leveldb } from "activity-server/leveldb";

function createTracker() {
  const server = createActivityServer({
    storage: leveldb({ path: "activity-data" }),
    logger: console,
    maintain: true,
    basePath: "/tracker",
    allowedHosts: ["localhost", "127.0.0.1"],
    authorize: ({ context }) => (context?.user ? allow(context.user) : deny("log in first")),
  });
  server.on("bucket", ({ bucketId, identity }) => console.log(`${identity?.name} changed bucket ${bucketId}`));
  return server;
}

// Next loads this file once for each route, and again after a change.
globalThis.tracker ??= createTracker();

export const tracker = globalThis.tracker;
