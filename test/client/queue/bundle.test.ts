// The queue where there is no Node: it keeps its events in memory.
import path from "node:path";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { HeartbeatQueueWarning } from "../../../src/client/queue/index.js";
import { ROOT } from "../../package/tarball.js";
import { BUCKET, BUCKET_ID, beat, inScene, plain } from "./scene.js";

const test = suite("heartbeat queue: bundle");

/** Largest bundle of the queue without a client, packed with gzip, in bytes. */
const MOST_BYTES = 12_000;

type Exports = typeof import("../../../src/client/queue/index.js");

async function bundled(): Promise<string> {
  const result = await build({
    ...{ entryPoints: [path.join(ROOT, "src/client/queue/index.ts")], bundle: true, write: false, metafile: true },
    ...{ minify: true, logLevel: "silent", platform: "browser", format: "iife", globalName: "queue" },
  });
  const [output] = Object.values(result.metafile.outputs);
  assert.equal(output?.imports, []);
  assert.equal(result.warnings, []);
  return result.outputFiles[0]?.text ?? "";
}

test("it bundles for browsers, asks for no module, and works in memory; a file is refused", () =>
  inScene(async (scene) => {
    const text = await bundled();
    const { length: packedBytes } = gzipSync(text, { level: 9 });
    assert.ok(packedBytes < MOST_BYTES, `${packedBytes} bytes`);
    const globals = { AbortController, TextEncoder, TextDecoder, setTimeout, clearTimeout };
    const context = vm.createContext({ ...globals });
    vm.runInContext(`${text};globalThis.exported = queue;`, context, { filename: "queue.js" });
    const { createHeartbeatQueue } = (context as { exported: Exports }).exported;
    const warnings: HeartbeatQueueWarning[] = [];
    const options = {
      ...{ client: scene.client, bucketId: BUCKET_ID, bucket: BUCKET, pulsetime: 5, commitInterval: 0.01 },
      onWarning: (warning: HeartbeatQueueWarning) => warnings.push(warning),
    };
    const queue = createHeartbeatQueue(options);
    assert.is(await queue.heartbeat(beat(0)), "memory");
    await scene.drained(queue);
    await queue.heartbeat(beat(3));
    await queue.close();
    assert.equal(await scene.events(), [plain(0, 3)]);
    assert.equal(warnings, []);
    const needsNode = (error: Error): boolean => /needs Node, Deno or Bun/.test(error.message);
    assert.throws(() => createHeartbeatQueue({ ...options, path: "queue" }), needsNode);
    assert.throws(() => createHeartbeatQueue({ ...options, flushOnExit: true }), needsNode);
  }));

test.run();
