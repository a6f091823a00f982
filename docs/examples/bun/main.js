import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

const tracker = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  maintain: true,
  basePath: "/tracker",
  // Names by which people reach the site. Without them any is served: these requests do not tell the bound address.
  allowedHosts: ["localhost", "127.0.0.1"],
});

const app = Bun.serve({
  port: process.env.PORT ?? 3000,
  hostname: "127.0.0.1",
  // Bun's own limit is 128 MB.
  maxRequestBodySize: 1024 ** 3,
  // Bun's own limit is 10 s. The live feed sends something every 15 s.
  idleTimeout: 60,
  routes: {
    "/": new Response("the app's own page\n"),
    "/tracker": tracker.fetch,
    "/tracker/*": tracker.fetch,
  },
});
console.log(`watchers report to ${app.url}tracker`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    // First: it ends the live feed, which `stop()` would wait for.
    await tracker.close();
    await app.stop();
    process.exit();
  });
}
