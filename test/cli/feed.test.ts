// The command that prints the feed of a running server.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../src/client/index.js";
import { inTime } from "../harness.js";
import { inWorkshop } from "./launcher.js";

const test = suite("activity-server feed");

test("it prints changes as they happen, also as JSON, needs a server, and ends when nothing reads them", () =>
  inWorkshop(async ({ start, spawn, run }) => {
    assert.is((await run(["feed"])).code, 1);
    const { url } = await start();
    const [text, json] = [spawn(["feed", "--buckets", "win*"]), spawn(["feed", "--json"])];
    await inTime(
      text.line((line) => line === "Waiting for changes"),
      "the feed",
    );
    await inTime(
      json.line((line) => line.includes('"reset"')),
      "the feed as JSON",
    );
    const client = createClient({ url });
    for (const id of ["other", "window"]) await client.buckets.create(id, { type: "t", client: "c", hostname: "h" });
    await client.heartbeat("window", { timestamp: "2024-03-01T10:00:00Z", data: { app: "x" } }, 5);
    await inTime(
      text.line((line) => line.includes('0 s window inserted {"app":"x"}')),
      "the event",
    );
    const line = JSON.parse(
      await inTime(
        json.line((each) => each.includes("inserted")),
        "the event as JSON",
      ),
    );
    assert.equal([line.event, line.message.type, line.message.bucket], ["feed", "events", "window"]);
    assert.not.match(text.said().stdout, "other");
    text.kill("SIGKILL");
    // It learns that nothing reads from the next write.
    json.stopReading();
    await client.buckets.delete("other");
    const [, { code }] = await Promise.all([text.ended, inTime(json.ended, "the end without a reader")]);
    assert.is(code, 0);
  }));

test.run();
