// A primary that is lost under load, and a synchronous standby that takes its place.
// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { underLoad } from "./ledger.js";
import { type Loss, startPair } from "./pair.js";

const test = suite("postgres failover");

const ROUNDS = sizeOf("FAILOVER_ROUNDS", { short: 1, long: 20 });
const BUCKETS = ["one", "two", "three", "four"];
const LOSSES: readonly Loss[] = ["crash", "orphans", "cut off"];
const pair = await startPair();

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

if (pair === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const node = (namespace: string): Storage => postgres({ connectionString: pair.url, namespace, max: 4 });

  test(`${ROUNDS} primaries are lost under load: what was acknowledged is there once, and nodes come back`, async () => {
    const random = randomOf(18);
    const ledger = await underLoad([node("load"), node("load"), node("load")], BUCKETS, async (ledger, writing) => {
      /** Waits until that many more writes were acknowledged, or one failed as none may. */
      const acknowledged = async (count: number): Promise<void> => {
        const until = ledger.count("acknowledged") + count;
        while (ledger.count("acknowledged") < until) await Promise.race([pause(20), writing]);
      };
      for (let round = 0; round < ROUNDS; round++) {
        await acknowledged(40);
        await pair.lose(LOSSES[round % LOSSES.length] as Loss);
        await pause(intOf(random, 0, 400));
        await pair.promote();
        await pause(intOf(random, 0, 200));
        await pair.renew();
      }
      await acknowledged(40);
    });
    const told = (["acknowledged", "refused", "unsure"] as const).map((fate) => `${ledger.count(fate)} ${fate}`);
    console.log(`failovers: ${told.join(", ")}`);
  });

  test("the servers of the suite end", () => pair.remove());
}

test.run();
