import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LruCache } from "../../src/util/lru-cache.js";

const test = suite("recent");

test("the one used longest ago goes first, by the total weight", () => {
  const recent = new LruCache<string, number>(20);
  for (const [at, key] of ["a", "b", "c", "d"].entries()) recent.put(key, at, 5);
  assert.is(recent.get("a"), 0);
  recent.put("e", 4, 4);
  assert.equal([recent.get("a"), recent.get("b"), recent.get("c")], [0, undefined, 2]);
  assert.is(recent.weight, 19);
  recent.put("a", 5, 1);
  recent.put("f", 6, 5);
  assert.equal([recent.get("a"), recent.get("d"), recent.get("e"), recent.get("f")], [5, 3, 4, 6]);
  recent.delete("c");
  assert.equal([recent.get("c"), recent.weight], [undefined, 15]);
});

test("keys may be objects, which are told apart by what they are", () => {
  const recent = new LruCache<object, number>(20);
  const [one, other] = [{}, {}];
  recent.put(one, 1);
  assert.equal([recent.get(one), recent.get(other)], [1, undefined]);
});

test("what is heavier than a quarter of all is not kept, nor what stood there before", () => {
  const recent = new LruCache<string, number>(20);
  recent.put("a", 1, 5);
  recent.put("b", 2, 5);
  recent.put("a", 3, 6);
  assert.equal([recent.get("a"), recent.get("b"), recent.weight], [undefined, 2, 5]);
});

test("all is let go when nobody has asked for a while", async () => {
  const recent = new LruCache<string, number>(20, { quietMillis: 5 });
  recent.put("a", 1);
  assert.is(recent.get("a"), 1);
  while (recent.weight > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  recent.put("b", 2);
  assert.equal([recent.get("a"), recent.get("b")], [undefined, 2]);
});

test.run();
