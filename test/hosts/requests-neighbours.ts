// What the host keeps for itself, and several servers in one host.
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { BUCKET } from "../harness.js";
import { event, json, refusal, until } from "../http/client.js";
import { basePathIn, type Host, type HostCase, OWN, visit } from "./site.js";

/** Prefixes that could be taken for a part of the API, or need care. */
const PREFIXES = ["/tracker", "/deep/er/tracker", "/api", "/v1.0/~me", "/buckets"];

export const NEIGHBOUR_CASES: readonly HostCase[] = [
  {
    name: "the host's own pages are served as before",
    where: ({ takesAllAtRoot }, prefix) => prefix !== "" || !takesAllAtRoot,
    run: (host, prefix) =>
      visit(host, prefix, async ({ site, send }) => {
        const page = async (path: string): Promise<string> => String((await site.send("GET", path)).body);
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        for (let round = 0; round < 2; round++) {
          assert.is(await page("/before"), OWN.before);
          assert.equal(json(await site.send("POST", "/echo", { text: "ü" })), { text: "ü" });
          if (prefix !== "") {
            assert.is(await page("/after"), OWN.after);
            assert.is(await page("/trackers"), OWN.beside);
            const missing = await site.send("GET", "/nowhere");
            assert.equal([missing.status, String(missing.body)], [404, OWN.missing]);
          }
          json(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=9", event(round)));
        }
      }),
  },
  {
    name: "the host's request says the same path after the answer as before",
    where: ({ isWebStandard }) => !isWebStandard,
    run: (host, prefix) =>
      visit(host, prefix, async ({ site, send }) => {
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        json(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=9", event(0)));
        json(await send("GET", "/api/0//buckets/b/events?limit=1"));
        json(await send("GET", "/api/0/buckets/b/export?x=//"));
        json(await send("POST", "/api/0/settings/k", {}));
        refusal(await send("GET", "/nothing?x"), 404);
        await until(() => site.urls.length >= 6, "all answers were out");
        for (const [before, after] of site.urls) assert.is(after, before);
      }),
  },
];

/** A server has to serve wherever it is mounted. */
export async function serveBelowAnyPrefix(host: Host): Promise<void> {
  for (const prefix of PREFIXES) {
    await visit(host, prefix, async ({ send }) => {
      json(await send("GET", "/api/0/info"));
      json(await send("POST", "/api/0/buckets/api", BUCKET));
      json(await send("POST", "/api/0/buckets/api/heartbeat?pulsetime=1", event(0)));
      assert.is((json(await send("GET", "/api/0/buckets/api/events")) as unknown[]).length, 1);
      assert.equal(Object.keys(json(await send("GET", "/api/0/buckets")) as object), ["api"]);
      refusal(await send("GET", "/api/0/nothing"), 404);
    });
  }
}

/** Two servers in one host, used at the same time. */
export async function serveTwo(host: Host): Promise<void> {
  const mounts = ["/tracker", "/other/tracker"].map((prefix) => ({
    prefix,
    server: createActivityServer({ storage: memory(), ...basePathIn(host, prefix) }),
  }));
  const { send, close } = await host.start(mounts);
  try {
    await Promise.all(
      mounts.map(async ({ prefix }) => {
        const bucket = `${prefix}/api/0/buckets/of-${prefix.length}`;
        json(await send("POST", bucket, BUCKET));
        for (let minute = 0; minute < 20; minute++) {
          json(await send("POST", `${bucket}/heartbeat?pulsetime=0`, event(minute, { prefix })));
        }
      }),
    );
    for (const { prefix, server } of mounts) {
      const buckets = json(await send("GET", `${prefix}/api/0/buckets`)) as object;
      assert.equal(Object.keys(buckets), [`of-${prefix.length}`]);
      const events = await server.events.read(`of-${prefix.length}`).toArray();
      assert.is(events.filter(({ data }) => data["prefix"] === prefix).length, 20);
    }
  } finally {
    await close();
    for (const { server } of mounts) await server.close();
  }
}
