import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seededRandom } from "../../bench/data.js";
import { LruCache } from "../../src/util/lru-cache.js";
import { MemoryBudget } from "../../src/util/memory-budget.js";
import { TextCache } from "../../src/util/text-cache.js";

const test = suite("memory budget");

function cacheIn(memory: MemoryBudget, name: string, limit = 1000): LruCache<string, string> {
  return new LruCache(limit, { memory, name });
}

/** Puts entries of 10 bytes. */
function fill(cache: LruCache<string, string>, count: number): void {
  for (let at = 0; at < count; at++) cache.put(String(at), "value", 10);
}

test("a cache can use all memory that the others leave free", () => {
  const budget = new MemoryBudget(100);
  const [large, small] = [cacheIn(budget, "large"), cacheIn(budget, "small")];
  fill(small, 2);
  fill(large, 30);
  assert.is(small.weight, 20, "the small cache lost nothing");
  assert.is(large.weight, 80);
  assert.is(large.get("29"), "value", "the newest entry is cached");
  assert.is(large.get("0"), undefined);
  const common = { limitBytes: 100, hits: 0, misses: 0, evictions: 0 };
  assert.equal(budget.statistics(), {
    limitBytes: 100,
    usedBytes: 100,
    caches: [
      { ...common, name: "large", bytes: 80, hits: 1, misses: 1, evictions: 22 },
      { ...common, name: "small", bytes: 20 },
    ],
  });
});

test("caches that all need more get equal parts", () => {
  const budget = new MemoryBudget(120);
  const caches = ["a", "b", "c"].map((name) => cacheIn(budget, name));
  for (const cache of caches) fill(cache, 40);
  assert.equal(
    caches.map(({ weight }) => weight),
    [40, 40, 40],
  );
});

test("a cache has its own limit within the memory", () => {
  const budget = new MemoryBudget(1000);
  const cache = cacheIn(budget, "one", 50);
  fill(cache, 10);
  assert.is(budget.statistics().usedBytes, 50);
  assert.is(budget.statistics().caches[0]?.limitBytes, 50);
  const none = cacheIn(budget, "none", 0);
  none.put("a", "a", 1);
  assert.is(none.get("a"), undefined);
});

test("an entry of more than a quarter is ignored and evicts nothing", () => {
  const budget = new MemoryBudget(100);
  const cache = cacheIn(budget, "one");
  fill(cache, 2);
  cache.put("large", "value", 26);
  cache.put("0", "new", 26);
  assert.equal([cache.get("large"), cache.get("0"), cache.get("1")], [undefined, undefined, "value"]);
  assert.is(budget.statistics().usedBytes, 10);
});

test("strings are evicted as well, first those that were not used recently", () => {
  const memory = new MemoryBudget(5000);
  const texts = new TextCache<{ readonly text: string }>(10_000, { memory, name: "texts" });
  for (let at = 0; at < 100; at++) {
    texts.add({ text: `text ${at}` });
    assert.ok(memory.statistics().usedBytes <= 5000);
  }
  assert.equal(texts.get("text 99"), { text: "text 99" });
  assert.is(texts.get("text 0"), undefined);
  texts.clear();
  assert.is(memory.statistics().usedBytes, 0);
});

test("a full cache that admits only reused entries ignores an entry until it comes again soon", () => {
  const budget = new MemoryBudget(1000);
  const cache = new LruCache<string, string>(100, { memory: budget, name: "one", admitsReusedOnly: true });
  fill(cache, 10);
  for (let at = 10; at < 1000; at++) cache.put(String(at), "value", 10);
  assert.equal([cache.get("0"), cache.get("999"), cache.get("10")], ["value", undefined, undefined]);
  cache.put("10", "value", 10);
  assert.is(cache.get("10"), undefined, "it came too long ago");
  cache.put("10", "value", 10);
  assert.is(cache.get("10"), "value");
  assert.is(cache.get("1"), undefined, "the least recently used one made room");
  const other = cacheIn(budget, "other");
  fill(other, 90);
  cache.clear();
  fill(other, 100);
  cache.put("a", "value", 10);
  assert.is(cache.get("a"), undefined, "the memory of all caches is full");
  cache.put("a", "value", 10);
  assert.is(cache.get("a"), "value");
});

test("a cache that cannot evict does not block the others", () => {
  const budget = new MemoryBudget(10);
  budget.share("stubborn", () => false).add(20);
  assert.is(budget.statistics().usedBytes, 20);
});

test("random use never exceeds the memory, and every freed byte is counted", () => {
  const budget = new MemoryBudget(2000);
  const random = seededRandom(3);
  const caches = Array.from({ length: 5 }, (_, at) => cacheIn(budget, `cache ${at % 4}`, 500 * (at + 1)));
  const texts = new TextCache<{ readonly text: string }>(1000, { memory: budget, name: "texts" });
  for (let at = 0; at < 5000; at++) {
    const cache = caches[Math.floor(random() * caches.length)] as LruCache<string, string>;
    const key = String(Math.floor(random() * 50));
    const choice = random();
    if (choice < 0.6) cache.put(key, "value", Math.floor(random() * 200));
    else if (choice < 0.8) cache.get(key);
    else if (choice < 0.9) cache.delete(key);
    else if (choice < 0.99) texts.add({ text: key.repeat(10) });
    else cache.clear();
    const { usedBytes, caches: all } = budget.statistics();
    assert.ok(usedBytes <= 2000);
    assert.is(
      all.reduce((sum, { bytes }) => sum + bytes, 0),
      usedBytes,
    );
  }
  for (const cache of [...caches, texts]) cache.clear();
  assert.is(budget.statistics().usedBytes, 0);
});

test.run();
