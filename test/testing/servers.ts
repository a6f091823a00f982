// Test servers of the tests of `activity-server/testing`, and what is done with them.

import { bucket, heartbeats, realisticDay, type TestServer } from "../../src/testing/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { sendJson } from "../api/sending.js";

export const JSON_TYPE: Readonly<Record<string, string>> = { "content-type": "application/json" };

/** All that can be seen of a server, as bytes. */
export async function everythingOf(server: TestServer): Promise<string> {
  const paths = ["/api/0/info", "/api/0/buckets", "/api/0/settings", "/api/0/export"];
  const texts = await Promise.all(paths.map(async (path) => (await checkedFetch(path, {}, server.fetch)).text()));
  return texts.join("\n");
}

/** A few writes of every kind. */
export async function someWork(server: TestServer): Promise<void> {
  await server.load(realisticDay());
  await sendJson(server, "POST", "/api/0/buckets/own", { type: "t", client: "c", hostname: "!local" });
  for (const beat of heartbeats({ every: "5s", for: "1m" })) {
    await server.heartbeat("own", beat, "5s");
    server.clock.advance("5s");
  }
  await server.buckets.create("later", bucket({ id: "x", created: server.clock.now() }));
  await server.settings.put("theme", "dark");
}
