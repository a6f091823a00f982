import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seededRandom } from "../../bench/data.js";
import { GrowingBytes, release } from "../../src/util/bytes.js";

const test = suite("growing bytes");

test("chunks of any sizes are joined, whatever was expected", () => {
  const random = seededRandom(1);
  for (let round = 0; round < 300; round++) {
    const expected = [0, Number.NaN, 1, 3000, 1e5][round % 5] as number;
    const growing = new GrowingBytes(expected);
    const bytes = Uint8Array.from({ length: Math.floor(random() * 5000) }, () => random() * 256);
    for (let at = 0; at < bytes.length; ) {
      const chunk = bytes.slice(at, at + 1 + Math.floor(random() ** 4 * 2000));
      growing.add(chunk);
      at += chunk.length;
      assert.is(growing.length, at);
    }
    assert.equal(Buffer.from(growing.take()), Buffer.from(bytes));
    assert.is(growing.length, 0);
  }
});

test("a single chunk is returned without a copy, and no other one is kept", () => {
  const growing = new GrowingBytes();
  const first = Uint8Array.of(1, 2);
  growing.add(first);
  assert.is(growing.take().buffer, first.buffer);
  growing.add(first);
  const reused = Uint8Array.of(3);
  growing.add(reused);
  reused[0] = 4;
  growing.add(reused);
  assert.equal([...growing.take()], [1, 2, 3, 4]);
  growing.add(reused);
  growing.clear();
  assert.is(growing.take().length, 0);
});

/** Joins two chunks of 40,000 bytes each. */
function joinLarge(value: number): Uint8Array {
  const growing = new GrowingBytes();
  growing.add(new Uint8Array(40_000).fill(value));
  growing.add(new Uint8Array(40_000).fill(value));
  return growing.take();
}

test("a released buffer is used for the next large body, once, and shows nothing of the body before", () => {
  const first = joinLarge(1);
  release(first);
  release(first);
  const second = joinLarge(2);
  const third = joinLarge(3);
  assert.is(second.buffer, first.buffer);
  assert.is.not(third.buffer, first.buffer);
  assert.is(second.length, 80_000);
  assert.ok(second.every((byte) => byte === 2));
  assert.ok(third.every((byte) => byte === 3));
});

test("bytes that came from elsewhere are never reused", () => {
  const growing = new GrowingBytes();
  const alone = new Uint8Array(80_000).fill(7);
  growing.add(alone);
  release(growing.take());
  assert.is.not(joinLarge(1).buffer, alone.buffer);
  assert.ok(alone.every((byte) => byte === 7));
});

test.run();
