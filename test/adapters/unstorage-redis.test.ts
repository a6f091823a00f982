// long: 600 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { storageContract } from "../contract/index.js";
import { sampleOf } from "../faults/sizes.js";
import { contractOn, openAt } from "./unstorage-drivers.js";
import { redisGround } from "./unstorage-grounds.js";
import { expectTakeover } from "./unstorage-takeover.js";

const test = suite("unstorage on Redis");

const ground = await redisGround();

if (ground === undefined) test("there is no Redis here", () => assert.is(process.env.CI, undefined));
else {
  for (const { name, run } of sampleOf(storageContract(contractOn(ground)), 20)) test(name, run);

  test("a second opening takes over what was acknowledged, and shuts the first writer out", async () =>
    expectTakeover(await ground.newPlace()));

  test("a Redis that loses everything is noticed before anything is acknowledged", async () => {
    const place = await ground.newPlace();
    const storage = openAt(place);
    await storage.settings.put("key", 1);
    const instance = place.instance();
    for (const key of await instance.getKeys("activity")) await instance.removeItem(key);
    const thrown = await storage.settings.put("key", 2).catch((error: unknown) => error);
    assert.match(String(thrown), "was removed while it was open");
    await storage.close();
  });

  test("the Redis of the suite ends", () => ground.finish());
}

test.run();
