import { createServer } from "node:http";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
import { H3, toNodeHandler } from "h3";

const server = createActivityServer({ storage: leveldb({ path: "activity-data" }), logger: console, maintain: true });
const app = new H3();

app.mount("/tracker", server.fetch);

app.get("/", () => "the app's own page\n");

const host = createServer(toNodeHandler(app));
host.listen(process.env.PORT ?? 3000, "127.0.0.1", () => {
  console.log(`watchers report to http://127.0.0.1:${host.address().port}/tracker`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(() => server.close());
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
