import { createServer } from "node:http";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

const server = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  basePath: "/tracker",
  maintain: true,
});

const host = createServer((request, response) => {
  if (/^\/tracker(?=[/?]|$)/.test(request.url)) server.nodeHandler(request, response);
  else response.end("the app's own page\n");
});

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
