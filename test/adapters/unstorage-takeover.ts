import * as assert from "uvu/assert";
import { ActivityError } from "../../src/errors.js";
import { bucketOf, draftOf, idsOf, read } from "../contract/case.js";
import { openAt } from "./unstorage-drivers.js";
import type { Place } from "./unstorage-grounds.js";

/** The code that a call is refused with, or `accepted`. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  const outcome = await call.then(
    () => "accepted",
    (error: unknown) => (ActivityError.is(error) ? error.code : String(error)),
  );
  return outcome;
}

/** Opens a place twice: the second writer finds everything, and the first one is refused. */
export async function expectTakeover(place: Place): Promise<void> {
  const first = openAt(place);
  await first.createBucket(bucketOf("window"));
  await first.putEvents("window", [draftOf(1), draftOf(2)]);
  await first.heartbeat("window", draftOf(3, 0, "beat"), 5);
  const second = openAt(place);
  await second.ready();
  assert.equal(idsOf(await read(second, "window", { order: "oldest" })), [1, 2, 3]);
  const refused: Promise<unknown>[] = [
    first.putEvents("window", [draftOf(4)]),
    first.heartbeat("window", draftOf(5, 0, "beat"), 5),
    first.deleteEvents("window", [1]),
    first.createBucket(bucketOf("afk")),
    first.updateBucket("window", { client: "other" }),
    first.settings.put("key", 1),
    first.deviceId(),
  ];
  assert.equal(await Promise.all(refused.map(codeOf)), new Array(7).fill("STORAGE_LOCKED"));
  assert.equal(idsOf(await read(first, "window", { order: "oldest" })), [1, 2, 3], "reads answer what it knew");
  assert.match((await first.health?.())?.refusal ?? "", "another writer has taken over");
  await first.close();
  const [event] = await second.putEvents("window", [draftOf(6)]);
  assert.is(event?.id, 4);
  await second.close();
  const third = openAt(place);
  assert.equal(idsOf(await read(third, "window", { order: "oldest" })), [1, 2, 3, 4], "nothing of what was refused");
  assert.is((await third.listBuckets()).length, 1);
  await third.close();
}
