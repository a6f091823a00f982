import { allow, createActivityServer, deny } from "activity-server";
import { leveldb } from "activity-server/leveldb";

export const tracker = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  maintain: true,
  basePath: "/tracker",
  allowedHosts: ["localhost", "127.0.0.1"],
  authorize: ({ context }) => (context?.user ? allow(context.user) : deny("log in first")),
});
tracker.on("bucket", ({ bucketId, identity }) => console.log(`${identity?.name} changed bucket ${bucketId}`));
