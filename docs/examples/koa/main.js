import { bodyParser } from "@koa/bodyparser";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
import Koa from "koa";

const server = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  basePath: "/tracker",
  maintain: true,
});
const app = new Koa();

app.use((context, next) => {
  if (!/^\/tracker(\/|$)/.test(context.path)) return next();
  context.respond = false;
  return server.nodeHandler(context.req, context.res);
});

app.use(bodyParser());
app.use((context) => {
  context.body = context.method === "POST" ? { noted: context.request.body } : "the app's own page\n";
});

const host = app.listen(process.env.PORT ?? 3000, "127.0.0.1", () => {
  console.log(`watchers report to http://127.0.0.1:${host.address().port}/tracker`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(() => server.close());
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
