import { createServer } from "node:http";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

// In Electron: path.join(app.getPath("userData"), "activity").
const storage = leveldb({ path: "activity-data" });
const tracker = createActivityServer({ storage, logger: console, basePath: "/tracker", maintain: true });
const host = createServer((request, response) => {
  if (/^\/tracker(?=[/?]|$)/.test(request.url)) tracker.nodeHandler(request, response);
  else response.end("the app's own page\n");
});
host.listen(process.env.PORT ?? 5600, "127.0.0.1");

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(() => tracker.close());
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
