import { serve } from "@hono/node-server";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
import { Hono } from "hono";

const server = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  maintain: true,
  basePath: "/tracker",
  // Names by which people reach the site. Without them any is served: these requests do not tell the bound address.
  allowedHosts: ["localhost", "127.0.0.1"],
});
const app = new Hono();

app.all("/tracker/*", (context) => server.fetch(context.req.raw));

app.get("/", (context) => context.text("the app's own page\n"));

const host = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "127.0.0.1" }, ({ port }) => {
  console.log(`watchers report to http://127.0.0.1:${port}/tracker`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(() => server.close());
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
