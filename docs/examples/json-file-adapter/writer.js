// Puts two events at a time and says how many are stored, until it is killed: for beyond.test.js.
import { jsonFile } from "./json-file.js";

const storage = jsonFile(process.argv[2]);
await storage.createBucket({
  id: "a",
  type: "currentwindow",
  client: "writer",
  hostname: "desk",
  name: null,
  created: 0,
  data: {},
});
for (;;) {
  const timestamp = await storage.countEvents("a");
  await storage.putEvents("a", [
    { timestamp, duration: 0, data: {} },
    { timestamp: timestamp + 1, duration: 0, data: {} },
  ]);
  console.log(timestamp + 2);
}
