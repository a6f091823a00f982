import { randomUUID } from "node:crypto";
import { allow, createActivityServer, deny } from "activity-server";
import { memory } from "activity-server/memory";
import express from "express";

/** Users by session, and by the token of a watcher. */
const sessions = new Map();
const tokens = new Map([[process.env.WATCHER_TOKEN ?? randomUUID(), { name: "watcher" }]]);

const server = createActivityServer({
  storage: memory(),
  logger: console,
  authorize: ({ context }) => (context?.user ? allow(context.user) : deny("log in first")),
});
server.on("bucket", ({ bucketId, identity }) => console.log(`${identity?.name} changed bucket ${bucketId}`));

const app = express();

app.use((request, _response, next) => {
  const [, session] = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  request.user = sessions.get(session) ?? tokens.get(token);
  next();
});

app.use("/tracker", (request, response) => {
  server.nodeHandler(request, response, { context: { user: request.user } });
});

app.post("/login", express.json(), (request, response) => {
  const session = randomUUID();
  sessions.set(session, { name: String(request.body.name) });
  response.cookie("session", session, { httpOnly: true, sameSite: "strict" }).send("welcome\n");
});
app.get("/", (request, response) => response.send(`the app's own page, for ${request.user?.name ?? "nobody"}\n`));

const host = app.listen(process.env.PORT ?? 3000, "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`log in at http://127.0.0.1:${host.address().port}/login, watchers report to /tracker`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(() => server.close());
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
