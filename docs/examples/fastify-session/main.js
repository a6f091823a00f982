import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import session from "@fastify/session";
import { allow, createActivityServer, deny } from "activity-server";
import { memory } from "activity-server/memory";
import fastify from "fastify";

const server = createActivityServer({
  storage: memory(),
  logger: console,
  basePath: "/tracker",
  authorize: ({ context }) => (context?.user ? allow(context.user) : deny("log in first")),
});
server.on("bucket", ({ bucketId, identity }) => console.log(`${identity?.name} changed bucket ${bucketId}`));

const app = fastify();

await app.register(cookie);
await app.register(session, {
  // With a secret of its own, each process ends the sessions of the one before it.
  secret: process.env.SESSION_SECRET ?? randomUUID(),
  cookie: { sameSite: "strict", secure: process.env.PUBLIC_URL?.startsWith("https:") ?? false },
});

await app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  const serve = (request, reply) => {
    reply.hijack();
    server.nodeHandler(request.raw, reply.raw, { context: { user: request.session.user } });
  };
  scope.all("/tracker", serve);
  scope.all("/tracker/*", serve);
});

app.post("/login", async (request) => {
  // Check a password here.
  request.session.user = { name: String(request.body.name) };
  return "welcome\n";
});
app.get("/", async (request) => `the app's own page, for ${request.session.user?.name ?? "nobody"}\n`);

app.addHook("onClose", () => server.close());
await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" });
console.log(`log in at http://127.0.0.1:${app.server.address().port}/login, watchers report to /tracker`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    app.close();
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => app.server.closeAllConnections(), 5000).unref();
  });
}
