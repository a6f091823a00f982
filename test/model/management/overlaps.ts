// What a merge makes of events, as simply as possible: each is compared with all; docs/guides/buckets.md#overlaps
import { type Event, inOrder, sameEvent, type Times } from "./state.js";

export type Policy = "keep-both" | "cut-older" | "first-wins";
export const POLICIES: readonly Policy[] = ["keep-both", "cut-older", "first-wins"];

/** What becomes of an event of a bucket; without times it is left out. */
export interface Fate {
  readonly source: number;
  readonly event: Event;
  written: Times | undefined;
}

/** @param buckets the bucket that the others are merged into comes first */
export function fatesOf(policy: Policy, buckets: readonly (readonly Event[])[]): Fate[] {
  const all = buckets.flatMap((events, source) => inOrder(events).map((event) => ({ source, event })));
  const fates: Fate[] = [];
  for (const { source, event } of all.sort((a, b) => a.event.at - b.event.at || a.source - b.source)) {
    const fate: Fate = { source, event, written: undefined };
    const others = fates.filter(
      (each) => each.source !== source && each.written !== undefined && each.written.length > 0,
    );
    const isEqual = all.some((other) => other.source < source && sameEvent(other.event, event));
    fates.push(fate);
    if (isEqual) continue;
    const { at, length } = event;
    if (policy === "keep-both" || length <= 0) fate.written = { at, length };
    else if (policy === "first-wins") {
      const from = Math.max(at, ...others.map(({ written }) => endOf(written as Times)));
      if (from < at + length) fate.written = { at: from, length: at + length - from };
    } else if (!others.some(({ written }) => written?.at === at)) {
      for (const other of others) {
        const written = other.written as Times;
        other.written = { at: written.at, length: Math.min(endOf(written), at) - written.at };
      }
      fate.written = { at, length };
    }
  }
  return fates;
}

function endOf({ at, length }: Times): number {
  return at + length;
}
