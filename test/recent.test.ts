import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Recent } from "../src/recent.js";

const test = suite("recent");

test("the one used longest ago goes first, by the total weight", () => {
  const recent = new Recent<number>(10);
  recent.put("a", 1, 4);
  recent.put("b", 2, 4);
  assert.is(recent.get("a"), 1);
  recent.put("c", 3, 4);
  assert.equal([recent.get("a"), recent.get("b"), recent.get("c")], [1, undefined, 3]);
  recent.put("a", 5, 1);
  recent.put("d", 4, 5);
  assert.equal([recent.get("a"), recent.get("c"), recent.get("d")], [5, 3, 4]);
  recent.delete("c");
  recent.put("e", 6, 4);
  assert.equal([recent.get("a"), recent.get("d"), recent.get("e")], [5, 4, 6]);
});

test("what is heavier than all is not kept", () => {
  const recent = new Recent<number>(10);
  recent.put("a", 1, 11);
  assert.is(recent.get("a"), undefined);
});

test.run();
