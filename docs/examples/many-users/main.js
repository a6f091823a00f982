import { randomUUID } from "node:crypto";
import { allow, createActivityServer, deny } from "activity-server";
import { postgres } from "activity-server/postgres";
import express from "express";
import pg from "pg";

/** One pool for all users. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
/** Servers that are kept ready; whoever comes later gets a new one, which costs no connection. */
const MOST_SERVERS = Number(process.env.MOST_SERVERS ?? 1000);
/** The server of each user with its requests under way, the one used longest ago first. */
const servers = new Map();
/** Names by session, and by the token of a watcher. */
const users = new Map();

function serverOf(user) {
  const known = servers.get(user);
  servers.delete(user);
  const entry = known ?? { server: newServer(user), requests: 0 };
  servers.set(user, entry);
  return entry;
}

function newServer(user) {
  return createActivityServer({
    storage: postgres({ pool, namespace: `user ${user}` }),
    logger: console,
    // Whatever goes wrong in front of it: nobody gets into the tracker of somebody else.
    authorize: ({ node }) => (node?.user === user ? allow({ name: user }) : deny()),
  });
}

async function closeOldest() {
  for (const [user, { server, requests }] of servers) {
    if (servers.size <= MOST_SERVERS) return;
    if (requests > 0) continue;
    servers.delete(user);
    await server.close();
  }
}

const app = express();

app.use((request, _response, next) => {
  const [, session] = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  request.user = users.get(session) ?? users.get(token);
  next();
});

app.use("/tracker", (request, response, next) => {
  if (request.user === undefined) return response.status(401).send("log in first\n");
  const entry = serverOf(request.user);
  entry.requests++;
  response.once("close", () => {
    entry.requests--;
    closeOldest().catch(console.error);
  });
  return entry.server.nodeHandler(request, response, next);
});

/** A real app checks a password here. */
app.post("/login", express.json(), (request, response) => {
  const [session, token] = [randomUUID(), randomUUID()];
  for (const credential of [session, token]) users.set(credential, String(request.body.name));
  response.cookie("session", session, { httpOnly: true, sameSite: "strict" }).json({ watcherToken: token });
});
app.get("/", (request, response) => response.send(`the app's own page, for ${request.user ?? "nobody"}\n`));

const host = app.listen(process.env.PORT ?? 3000, "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`log in at http://127.0.0.1:${host.address().port}/login, watchers report to /tracker`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(async () => {
      for (const { server } of servers.values()) await server.close();
      await pool.end();
    });
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
