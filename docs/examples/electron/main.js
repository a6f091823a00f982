import { createServer } from "node:http";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

// In Electron: path.join(app.getPath("userData"), "activity").
const tracker = createActivityServer({ storage: leveldb({ path: "activity-data" }), logger: console });
const app = createServer((request, response) => {
  if (!request.url.startsWith("/tracker")) return response.end("the app's own page\n");
  request.url = request.url.slice("/tracker".length) || "/";
  tracker.nodeHandler(request, response);
});
app.listen(process.env.PORT ?? 5600, "127.0.0.1");

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => app.close(() => tracker.close()));
}
