import middie from "@fastify/middie";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
import fastify from "fastify";

const server = createActivityServer({ storage: leveldb({ path: "activity-data" }), logger: console, maintain: true });
const app = fastify();

await app.register(middie);
app.use("/tracker", server.nodeHandler);

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
