// How long a log may get before a new one is begun.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LogWriter } from "../../adapters/segments/log-writer.js";
import type { LogBatch, SegmentStore } from "../../adapters/segments/store.js";

const test = suite("log writer");

const MIB = 1024 * 1024;

test("a log that was begun for another reason may not get as long as the one before", async () => {
  let begun = 0;
  let snapshotBytes = 0;
  const store = {
    logBytes: 0,
    append({ text }: LogBatch) {
      this.logBytes += text.length;
    },
    async beginLog() {
      begun++;
      this.logBytes = 0;
    },
  };
  const log = new LogWriter({
    store: store as unknown as SegmentStore,
    sequence: 0,
    snapshot: async () => "",
    commitIdle: () => undefined,
    snapshotBytes: () => snapshotBytes,
    report: () => undefined,
  });
  const write = (bytes: number) => log.append(["x".repeat(bytes)]);
  await write(1);
  assert.is(begun, 1);
  snapshotBytes = 10 * MIB;
  for (let written = 0; written < 30; written++) await write(MIB);
  assert.is(begun, 1, "its snapshot alone is nearly as long");
  await log.restart();
  snapshotBytes = 0;
  for (let written = 0; written < 6; written++) await write(MIB);
  assert.is(begun, 3);
  await log.close();
});

test("who commits at once after an append knows the batch that comes next", async () => {
  const sequences: number[] = [];
  const log = new LogWriter({
    store: {
      logBytes: 0,
      append: ({ sequence }: LogBatch) => void sequences.push(sequence),
      beginLog: async ({ sequence }: LogBatch) => void sequences.push(sequence),
    } as unknown as SegmentStore,
    sequence: 0,
    snapshot: async () => "",
    commitIdle: () => undefined,
    snapshotBytes: () => 0,
    report: () => undefined,
  });
  for (let batch = 0; batch < 5; batch++) {
    await log.append(["a line"]);
    const { nextSequence } = log;
    await log.append(["another one"]);
    assert.is(sequences.at(-1), nextSequence);
  }
  await log.close();
});

test.run();
