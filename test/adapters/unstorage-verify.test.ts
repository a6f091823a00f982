// A driver may show half of a value while it is written, as a file system does.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unstorage } from "../../adapters/unstorage/index.js";
import { bucketOf } from "../contract/case.js";
import { FaultyStorage } from "./faulty-storage.js";
import { until } from "./until.js";

const test = suite("verifying a store that is written to");

/** While held, a write stops when half of its value is there. */
class HalfWrites extends FaultyStorage {
  held: Promise<void> | undefined;
  halves = 0;
  halfRead = 0;
  #half: string | undefined;

  override async setItem(key: string, value: string): Promise<void> {
    if (this.held !== undefined) {
      this.#half = key;
      this.items.set(key, value.slice(0, value.length / 2));
      this.halves++;
      await this.held;
    }
    await super.setItem(key, value);
  }

  override getItem(key: string): ReturnType<FaultyStorage["getItem"]> {
    if (key === this.#half) this.halfRead++;
    return super.getItem(key);
  }
}

test("half of a log value that is being written is not damage", async () => {
  const driver = new HalfWrites();
  const storage = unstorage({ storage: driver });
  await storage.createBucket(bucketOf("window"));
  const beat = (timestamp: number): Promise<unknown> =>
    storage.heartbeat("window", { timestamp, duration: 0, data: {} }, 5);
  // Short batches join one value, whose versions take turns in two places.
  for (let at = 1; at < 6; at++) await beat(at);
  let release = (): void => undefined;
  driver.held = new Promise((resolve) => {
    release = resolve;
  });
  const beating = beat(6);
  await until(
    () => driver.halves > 0,
    () => "a write",
  );
  const verifying = storage.verify();
  await until(
    () => driver.halfRead > 0,
    () => "a read of the half",
  );
  driver.held = undefined;
  release();
  await beating;
  assert.equal((await verifying).problems, []);
  assert.is((await storage.health?.())?.state, "ok");
  await storage.close();
});

test.run();
