import { createServer } from "node:http";
import { H3, toNodeHandler } from "h3";
import * as route from "./app/tracker/[...path]/route.js";
import { server } from "./tracker.js";

const app = new H3();
for (const [method, handler] of Object.entries(route)) {
  app.on(method, "/tracker/**", (event) => handler(event.req));
}

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
