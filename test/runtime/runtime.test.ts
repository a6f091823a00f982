// Where there is no Node: the package bundles without it, and serves without it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { createActivityServer } from "../../src/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { packPrograms } from "../package/tarball.js";
import { BROWSER, bundle, RUNTIMES } from "./bundle.js";
import { runWithoutNode } from "./realm.js";

type Memory = typeof import("../../adapters/memory.js").memory;

const ENTRIES = ["", "/memory", "/client", "/unstorage", "/testing"].map((name) => `activity-server${name}`);
/** Largest bundle of core and memory, minified, in bytes: it may not grow without being noticed. */
const MAX_BYTES = 690_000;

const test = suite("runtimes without Node");
const packed = packPrograms();

for (const runtime of RUNTIMES) {
  test(`the core, its storages and /testing bundle for ${runtime.name} without a module of Node's`, async () => {
    for (const entry of ENTRIES) {
      const { imports, text, warnings } = await bundle(packed, [entry], runtime);
      assert.equal(imports, [], entry);
      assert.equal(warnings, [], entry);
      assert.not.match(text, /["'`]node:/, entry);
    }
  });

  test(`it serves in ${runtime.name}, by fetch and in process`, async () => {
    const found = runWithoutNode(await bundle(packed, ENTRIES.slice(0, 2), runtime));
    const create = found["createActivityServer"] as typeof createActivityServer;
    const server = create({ storage: (found["memory"] as Memory)() });
    const day = { type: "t", client: "c", hostname: "h" };
    assert.is(await server.buckets.create("b", day, [{ timestamp: "2024-03-01", duration: { micros: 5 } }]), true);
    await server.heartbeat("b", { timestamp: new Date("2024-03-02"), data: { a: 1 } }, "1s");
    const answer = await checkedFetch("http://localhost/api/0/buckets/b/events", {}, server.fetch);
    assert.is(((await answer.json()) as unknown[]).length, 2);
    const info = await checkedFetch("http://localhost/api/0/info", {}, server.fetch);
    assert.is(((await info.json()) as { hostname: string }).hostname, "unknown");
    const refused: unknown = await server.listen({ port: 0 }).catch((error: unknown) => error);
    assert.match(String(refused), /listen\(\) needs Node/);
    await server.close();
  });
}

test("core and memory stay small", async () => {
  const { text } = await bundle(packed, ENTRIES.slice(0, 2), BROWSER, true);
  assert.ok(text.length < MAX_BYTES, `${text.length} bytes`);
});

test.run();
