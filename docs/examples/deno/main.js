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

function respond(request) {
  const { pathname } = new URL(request.url);
  if (pathname === "/tracker" || pathname.startsWith("/tracker/")) return tracker.fetch(request);
  return new Response("the app's own page\n");
}

const app = Deno.serve({ port: Number(Deno.env.get("PORT") ?? 3000), hostname: "127.0.0.1" }, respond);

for (const signal of ["SIGINT", "SIGTERM"]) {
  Deno.addSignalListener(signal, async () => {
    // First: it ends the live feed, which `shutdown()` would wait for.
    await tracker.close();
    await app.shutdown();
    Deno.exit();
  });
}
