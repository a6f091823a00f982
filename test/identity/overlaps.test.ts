// What becomes of events when buckets are merged; docs/guides/buckets.md#overlaps
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import { type OverlapPolicy, resolveOverlaps } from "../../src/service/identity/overlaps.js";
import { sizeOf } from "../faults/sizes.js";

const test = suite("overlaps of merged buckets");

/** Start, end, and what happened. */
type Span = readonly [start: number, end: number, app: string];

async function* batches(spans: readonly Span[], size: number): AsyncGenerator<EventBatch> {
  const events = spans.map(([start, end, app], index) => ({
    ...{ id: index + 1, timestamp: start, duration: end - start },
    data: { app },
  }));
  for (let at = 0; at < events.length; at += size) yield EventBatch.from(events.slice(at, at + size));
}

/** What is left of each bucket: spans in the order of their beginnings. */
async function left(policy: OverlapPolicy, buckets: readonly (readonly Span[])[], size = 3): Promise<Span[][]> {
  const result: Span[][] = buckets.map(() => []);
  const reads = buckets.map((spans) => batches(spans, size));
  let decided = 0;
  for await (const resolutions of resolveOverlaps(reads, policy)) {
    for (const { source, position, event, outcome, start, end } of resolutions) {
      decided++;
      assert.is(event.id, position + 1);
      if (outcome === "kept" || outcome === "cut") result[source]?.push([start, end, String(event.data["app"])]);
      assert.is(outcome === "kept", outcome !== "cut" && outcome !== "equal" && outcome !== "covered");
    }
  }
  assert.is(decided, buckets.flat().length);
  return result.map((spans) => spans.sort(byTime));
}

function byTime([a, b, c]: Span, [d, e, f]: Span): number {
  return a - d || b - e || c.localeCompare(f);
}

const INTO: readonly Span[] = [
  [0, 10, "a"],
  [20, 30, "b"],
  [40, 50, "c"],
  [60, 60, "d"],
  [70, 90, "e"],
];
const FROM: readonly Span[] = [
  [5, 15, "f"],
  [20, 30, "b"],
  [42, 48, "g"],
  [55, 65, "h"],
  [70, 80, "i"],
];

const CASES: Readonly<Record<OverlapPolicy, readonly (readonly Span[])[]>> = {
  "keep-both": [INTO, FROM.filter(([, , app]) => app !== "b")],
  "cut-older": [
    [
      [0, 5, "a"],
      [20, 30, "b"],
      [40, 42, "c"],
      [60, 60, "d"],
      [70, 90, "e"],
    ],
    [
      [5, 15, "f"],
      [42, 48, "g"],
      [55, 65, "h"],
    ],
  ],
  "first-wins": [
    INTO,
    [
      [10, 15, "f"],
      [55, 65, "h"],
    ],
  ],
};

for (const [policy, expected] of Object.entries(CASES)) {
  test(`${policy}: equal events once, the others as docs/guides/buckets.md draws them`, async () => {
    for (const size of [1, 3, 100]) assert.equal(await left(policy as OverlapPolicy, [INTO, FROM], size), expected);
  });
}

test("within a bucket overlaps and twins stay", async () => {
  const own: readonly Span[] = [
    [0, 10, "a"],
    [0, 10, "a"],
    [5, 20, "b"],
  ];
  for (const policy of ["keep-both", "cut-older", "first-wins"] as const) {
    assert.equal(await left(policy, [own, []]), [own, []]);
    assert.equal(await left(policy, [[], own]), [[], own]);
    assert.equal(await left(policy, [own, own]), [own, []]);
  }
});

/** The same, as simply as possible: each event is compared with all. */
function reference(policy: OverlapPolicy, buckets: readonly (readonly Span[])[]): Span[][] {
  const all = buckets.flatMap((spans, source) => spans.map((span) => ({ source, span, end: span[1] })));
  const inOrder = all.sort((a, b) => a.span[0] - b.span[0] || a.source - b.source);
  const unequal = inOrder.filter(
    ({ source, span }) => !inOrder.some((other) => other.source < source && String(other.span) === String(span)),
  );
  const result: Span[][] = buckets.map(() => []);
  const kept: { source: number; start: number; end: number; app: string }[] = [];
  for (const { source, span } of unequal) {
    const [start, end, app] = span;
    const others = kept.filter((each) => each.source !== source && each.end > each.start);
    if (policy === "keep-both" || end <= start) kept.push({ source, start, end, app });
    else if (policy === "first-wins") {
      const from = Math.max(start, ...others.map((each) => each.end));
      if (from < end) kept.push({ source, start: from, end, app });
    } else {
      if (others.some((each) => each.start === start)) continue;
      for (const each of others) each.end = Math.min(each.end, start);
      kept.push({ source, start, end, app });
    }
  }
  for (const { source, start, end, app } of kept) result[source]?.push([start, end, app]);
  return result.map((spans) => spans.sort(byTime));
}

test("random buckets are merged as the simplest way to say it does", async () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < sizeOf("OVERLAP_ROUNDS", { short: 150, long: 3000 }); round++) {
    const buckets = Array.from({ length: 2 + random(2) }, () => {
      let at = 0;
      return Array.from({ length: random(12) }, (): Span => {
        at += random(4);
        return [at, at + random(7), "ab"[random(2)] as string];
      });
    });
    for (const policy of ["keep-both", "cut-older", "first-wins"] as const) {
      assert.equal(await left(policy, buckets), reference(policy, buckets), JSON.stringify({ policy, buckets }));
    }
  }
});

test.run();
