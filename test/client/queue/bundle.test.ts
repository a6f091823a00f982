// The queue where there is no Node: it keeps its events in memory.
import vm from "node:vm";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { HeartbeatQueueWarning } from "../../../src/client/queue/index.js";
import { bundledClient, GLOBAL_NAME } from "../bundled.js";
import { BUCKET, BUCKET_ID, beat, inScene, plain } from "./scene.js";

const test = suite("heartbeat queue: bundle");

/** Largest bundle of the queue without a client, packed with gzip, in bytes. */
const MAX_BYTES = 12_000;

type Exports = typeof import("../../../src/client/queue/index.js");

test("it bundles for browsers, asks for no module, and works in memory; a file is refused", () =>
  inScene(async (scene) => {
    const { text, packedBytes, imports } = await bundledClient("iife", "src/client/queue/index.ts");
    assert.equal(imports, []);
    assert.ok(packedBytes < MAX_BYTES, `${packedBytes} bytes`);
    const globals = { AbortController, TextEncoder, TextDecoder, setTimeout, clearTimeout };
    const context = vm.createContext({ ...globals });
    vm.runInContext(`${text};globalThis.exported = ${GLOBAL_NAME};`, context, { filename: "queue.js" });
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
