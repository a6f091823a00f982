// What was deleted for good, and cannot be removed from the files now, is removed later.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Cleaner } from "../../adapters/segments/cleaner.js";
import { Eraser } from "../../adapters/segments/eraser.js";
import type { LogWriter } from "../../adapters/segments/log-writer.js";
import { Sleeper } from "../../adapters/segments/sleeper.js";
import type { SegmentStore } from "../../adapters/segments/store.js";

const test = suite("eraser");

/** An eraser over parts that do nothing, but for erasing, which fails some times. */
function eraserOver({ failures, isHeld = false }: { failures: number; isHeld?: boolean }) {
  const erased: string[] = [];
  let left = failures;
  const store = {
    async eraseDeleted() {
      if (left-- > 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      erased.push("erased");
    },
  } as unknown as SegmentStore;
  const waits: (() => void)[] = [];
  class ByHand extends Sleeper {
    override sleep(): Promise<void> {
      return new Promise((resolve) => {
        waits.push(resolve);
      });
    }
    override wake(): void {
      for (const wake of waits.splice(0)) wake();
    }
  }
  const sleeper = new ByHand();
  const log = { awaitDurable: async () => undefined, restart: async () => undefined } as unknown as LogWriter;
  const cleaner = { finish: async () => !isHeld } as unknown as Cleaner;
  return { eraser: new Eraser({ store, log, cleaner, sleeper }), sleeper, erased, waits };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("what fails is tried again until it works, and no longer", async () => {
  const { eraser, sleeper, erased, waits } = eraserOver({ failures: 3 });
  const failed = await eraser.erase().then(
    () => undefined,
    (thrown: { readonly code: string }) => thrown.code,
  );
  assert.is(failed, "STORAGE_FULL");
  await turns();
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.is(waits.length, 1);
    assert.equal(erased, []);
    sleeper.wake();
    await turns();
  }
  assert.equal(erased, ["erased"]);
  assert.is(waits.length, 0);
  await eraser.close();
});

test("an eraser that closes tries no more, and a read that holds the data is named", async () => {
  const { eraser, sleeper, erased } = eraserOver({ failures: 0, isHeld: true });
  const told = await eraser.erase().catch((thrown: Error) => thrown.message);
  assert.match(String(told), "in use by a read");
  await turns();
  const closing = eraser.close();
  sleeper.wake();
  await closing;
  assert.equal(erased, []);
});

test.run();
