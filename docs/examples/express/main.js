import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
import express from "express";

const server = createActivityServer({ storage: leveldb({ path: "activity-data" }), logger: console, maintain: true });
const app = express();

app.use("/tracker", server.nodeHandler);

app.use(express.json());
app.get("/", (_request, response) => response.send("the app's own page\n"));
app.post("/notes", (request, response) => response.json({ noted: request.body }));

const host = app.listen(process.env.PORT ?? 3000, "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`watchers report to http://127.0.0.1:${host.address().port}/tracker`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    host.close(() => server.close());
    // Browsers hold connections open on which they send nothing.
    setTimeout(() => host.closeAllConnections(), 5000).unref();
  });
}
