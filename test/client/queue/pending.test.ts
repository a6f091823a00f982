import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Group, Pending } from "../../../src/client/queue/pending.js";
import { intOf, randomOf } from "../../contract/case.js";

const test = suite("heartbeat queue: pending events");

test("a long history of beats, sent and dropped events leaves what a plain list would leave", () => {
  const random = randomOf(11);
  const pending = new Pending(0);
  let list: number[] = [];
  let dropped = 0;
  for (let n = 1; n <= 30_000; n++) {
    pending.take({ n, event: { timestamp: n, duration: 0, data: { n } } }, 0);
    list.push(n);
    const { head } = pending;
    if (head !== undefined && random() < 0.5) head.isFrozen = true;
    if (random() < 0.2 && head !== undefined) {
      pending.removeHead();
      list.shift();
    }
    // Like queues that are mostly full, and once in a while drained.
    const events = n % 10_000 < 5_000 ? 2_000 : intOf(random, 1, 50);
    const trimmed = pending.trim({ events, bytes: Number.POSITIVE_INFINITY });
    const kept = pending.head?.isFrozen ? 1 : 0;
    const count = Math.max(0, Math.min(list.length - events, list.length - 1 - kept));
    const gone = list.slice(kept, kept + count);
    list = [...list.slice(0, kept), ...list.slice(kept + count)];
    assert.equal(trimmed, count === 0 ? undefined : { count, range: [gone[0], gone.at(-1)] });
    dropped += count;
    if (n % 500 === 0) {
      assert.equal(
        [...pending].map(({ first }) => first),
        list,
      );
      assert.is(
        pending.bytes,
        [...pending].reduce((sum: number, { bytes }: Group) => sum + bytes, 0),
      );
    }
    assert.equal([pending.size, pending.head?.first], [list.length, list[0]]);
  }
  assert.ok(dropped > 5_000, `${dropped} dropped`);
});

test.run();
