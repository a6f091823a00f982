import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

export const tracker = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  maintain: true,
  basePath: "/tracker",
  // Names by which people reach the site. Without them, an address other than loopback serves any name.
  allowedHosts: ["localhost", "127.0.0.1"],
});
