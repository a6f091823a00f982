// Child program of kill-unstorage.test.ts: serves what lies in the folder given, through the fs-lite driver.
import { createActivityServer } from "activity-server";
import { unstorage } from "activity-server/unstorage";
import { createStorage } from "unstorage";
import fsLiteDriver from "unstorage/drivers/fs-lite";

const storage = await unstorage({ storage: createStorage({ driver: fsLiteDriver({ base: process.argv[2] }) }) });
const server = createActivityServer({ storage });
const { port } = await server.listen({ port: 0, host: "127.0.0.1" });
process.once("SIGTERM", async () => {
  await server.close();
});
console.log(`http://127.0.0.1:${port}`);
