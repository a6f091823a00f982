import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

export const tracker = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  maintain: true,
  basePath: "/tracker",
  // adapter-node takes every request for one over TLS, so the server must know its pages by name.
  allowedHosts: ["localhost", "127.0.0.1"],
});

// Sent by adapter-node when no request is open any more.
process.on("sveltekit:shutdown", () => tracker.close());
