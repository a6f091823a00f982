// What becomes of events when buckets are merged; docs/guides/buckets.md#overlaps
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import { type OverlapPolicy, resolveOverlaps } from "../../src/service/identity/overlaps.js";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { fatesOf, POLICIES } from "../model/management/overlaps.js";

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
async function left(policy: OverlapPolicy, buckets: readonly (readonly Span[])[], size: number): Promise<Span[][]> {
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

/** The same of the plain model, which compares each event with all. */
function reference(policy: OverlapPolicy, buckets: readonly (readonly Span[])[]): Span[][] {
  const events = buckets.map((spans) => spans.map(([at, end, app], id) => ({ id, at, length: end - at, app })));
  const result: Span[][] = buckets.map(() => []);
  for (const { source, event, written } of fatesOf(policy, events)) {
    if (written !== undefined) result[source]?.push([written.at, written.at + written.length, event.app]);
  }
  return result.map((spans) => spans.sort(byTime));
}

test("random buckets, with twins and overlaps of their own, are merged as in the plain model", async () => {
  const numbers = randomOf(7);
  const random = (below: number): number => intOf(numbers, 0, below - 1);
  for (let round = 0; round < sizeOf("OVERLAP_ROUNDS", { short: 150, long: 3000 }); round++) {
    const buckets = Array.from({ length: 2 + random(2) }, () => {
      let at = 0;
      return Array.from({ length: random(12) }, (): Span => {
        at += random(4);
        return [at, at + random(7), "ab"[random(2)] as string];
      });
    });
    for (const policy of POLICIES) {
      assert.equal(
        await left(policy, buckets, 1 + random(12)),
        reference(policy, buckets),
        JSON.stringify({ policy, buckets }),
      );
    }
  }
});

test.run();
