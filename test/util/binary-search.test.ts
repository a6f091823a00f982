import { suite } from "uvu";
import * as assert from "uvu/assert";
import { firstWhere } from "../../src/util/binary-search.js";

const test = suite("binary search");

test("finds the first place of a list, whatever its length", () => {
  for (let length = 0; length < 20; length++) {
    for (let first = 0; first <= length; first++) {
      assert.is(
        firstWhere(0, length, (at) => at >= first),
        first,
      );
    }
  }
});

test("begins at any integer, and looks at few", () => {
  let looks = 0;
  const found = firstWhere(-(2 ** 50), 2 ** 50, (at) => {
    looks++;
    return at >= -12_345;
  });
  assert.is(found, -12_345);
  assert.ok(looks <= 52);
});

test.run();
