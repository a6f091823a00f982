import { ActivityError, createActivityServer, microsToSeconds } from "activity-server";
import { memory } from "activity-server/memory";

const server = createActivityServer({ storage: memory() });
const stop = server.on("heartbeat", ({ event }) => console.log(`now in ${event.data.file}`));

await server.buckets.create("editor", { type: "app.editor.activity", client: "my-watcher", hostname: "desk" });
for (const [timestamp, file] of [
  ["2024-03-01T09:00:00Z", "a.ts"],
  ["2024-03-01T09:00:50Z", "a.ts"],
  ["2024-03-01T09:01:30Z", "b.ts"],
]) {
  await server.heartbeat("editor", { timestamp, data: { file } }, "60s");
}
stop();

await server.events.insert("editor", {
  timestamp: new Date("2024-03-01T10:00:00Z"),
  duration: "25m",
  data: { file: "b.ts" },
});

const seconds = {};
for await (const { data, duration } of server.events.read("editor", { start: "2024-03-01", end: "2024-03-02" })) {
  seconds[data.file] = (seconds[data.file] ?? 0) + microsToSeconds(duration);
}
console.log("seconds in files", seconds);

try {
  await server.events.count("browser");
} catch (error) {
  if (!ActivityError.is(error)) throw error;
  console.log(error.code, error.message);
}

await server.close();
