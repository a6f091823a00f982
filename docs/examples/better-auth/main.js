import { serve } from "@hono/node-server";
import { allow, createActivityServer, deny } from "activity-server";
import { memory } from "activity-server/memory";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { Hono } from "hono";

const port = Number(process.env.PORT ?? 3000);
const url = `http://127.0.0.1:${port}`;

const auth = betterAuth({
  baseURL: url,
  secret: process.env.BETTER_AUTH_SECRET,
  // Your app has a database here.
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
});

const server = createActivityServer({
  storage: memory(),
  logger: console,
  basePath: "/tracker",
  allowedHosts: ["localhost", "127.0.0.1"],
  authorize: ({ context }) => (context?.user ? allow(context.user) : deny("log in first")),
});
server.on("bucket", ({ bucketId, identity }) => console.log(`${identity?.name} changed bucket ${bucketId}`));

const app = new Hono();

app.on(["GET", "POST"], "/api/auth/*", (context) => auth.handler(context.req.raw));

app.all("/tracker/*", async (context) => {
  const session = await auth.api.getSession({ headers: context.req.raw.headers });
  return server.fetch(context.req.raw, { context: { user: session?.user } });
});

app.get("/", (context) => context.text("the app's own page\n"));

const host = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => {
  console.log(`sign up at ${url}/api/auth/sign-up/email, watchers report to /tracker`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(() => server.close());
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
