import { randomUUID } from "node:crypto";
import { allow, createTenants, deny } from "activity-server";
import { postgres } from "activity-server/postgres";
import express from "express";
import pg from "pg";

/** One pool for all users. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
/** Names by session, and by the token of a watcher. */
const users = new Map();

/** A server for each user. Opening one costs no connection. */
const tenants = createTenants({
  open: (user) => ({
    storage: postgres({ pool, namespace: `user ${user}` }),
    logger: console,
    // Even if the code below makes a mistake, no user gets into another user's tracker.
    authorize: ({ context }) => (context?.user === user ? allow({ name: user }) : deny()),
  }),
  max: Number(process.env.MAX_SERVERS ?? 1000),
  logger: console,
});

const app = express();

app.use((request, _response, next) => {
  const [, session] = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
  request.user = users.get(session) ?? users.get(token);
  next();
});

app.use("/tracker", (request, response) => {
  if (request.user === undefined) return response.status(401).send("log in first\n");
  return tenants.nodeHandler(request.user, request, response, { context: { user: request.user } });
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
      await tenants.close();
      await pool.end();
    });
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
