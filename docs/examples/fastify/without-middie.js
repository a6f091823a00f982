import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
import fastify from "fastify";

const server = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  basePath: "/tracker",
  maintain: true,
});
const app = fastify();

await app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  const serve = (request, reply) => {
    reply.hijack();
    server.nodeHandler(request.raw, reply.raw);
  };
  scope.all("/tracker", serve);
  scope.all("/tracker/*", serve);
});

app.get("/", async () => "the app's own page\n");

app.addHook("onClose", () => server.close());
await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" });
console.log(`watchers report to http://127.0.0.1:${app.server.address().port}/tracker`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    app.close();
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => app.server.closeAllConnections(), 5000).unref();
  });
}
