import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seededRandom } from "../../bench/data.js";
import { IdSet } from "../../src/util/id-set.js";

const test = suite("id set");

test("holds what was added, once", async () => {
  const set = await IdSet.of([5, 4095, 4096, 5, 0, Number.MAX_SAFE_INTEGER]);
  assert.is(set.size, 5);
  for (const id of [0, 5, 4095, 4096, Number.MAX_SAFE_INTEGER]) assert.ok(set.has(id), `${id}`);
  for (const id of [1, 4, 4094, 4097, 8192, Number.MAX_SAFE_INTEGER - 1]) assert.not.ok(set.has(id), `${id}`);
});

test("knows whether it holds any of a range, as a list does", async () => {
  const random = seededRandom(1);
  const idOf = (): number => Math.floor(random() * (random() < 0.5 ? 20_000 : 2 ** 45));
  const ids = Array.from({ length: 60 }, idOf);
  const set = await IdSet.of(ids);
  for (let round = 0; round < 3_000; round++) {
    const low = round % 3 === 0 ? idOf() : (ids[round % ids.length] as number) - Math.floor(random() * 70);
    const high = low + Math.floor(random() * (random() < 0.5 ? 80 : 2 ** 40));
    const expected = ids.some((id) => low <= id && id <= high);
    assert.is(set.hasAnyOf(Math.max(0, low), high), expected && high >= 0, `${low} to ${high}`);
  }
});

test.run();
