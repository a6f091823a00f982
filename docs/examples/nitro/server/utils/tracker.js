import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

export const tracker = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  maintain: true,
  basePath: "/tracker",
  // Names by which people reach the site. Without them any is served: these requests do not tell the bound address.
  allowedHosts: ["localhost", "127.0.0.1"],
});
