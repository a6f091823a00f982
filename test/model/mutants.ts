/** A mistake in the segment engine: what is wrong, the code in its source, and what takes its place. */
export type Mutant = readonly [name: string, code: string, mistake: string];

/** Mistakes about which segments there are, in which order, and which a call needs, by file of adapters/segments. */
export const MUTANTS: Readonly<Record<string, readonly Mutant[]>> = {
  "segment-index.ts": [
    [
      "new segments are put in the place of the first change, unsorted",
      "inOrder([...rest, ...fresh], this.#entries[from - 1])",
      "[...fresh, ...rest]",
    ],
    ["new segments are put at the end", "inOrder([...rest, ...fresh], this.#entries[from - 1])", "[...rest, ...fresh]"],
    ["replaced segments stay", "const replaced = new Set(old);", "const replaced = new Set<SegmentEntry>();"],
    [
      "a search finds the segment after the right one",
      "return firstWhere(0, entries.length, (at) => compareKeys((entries[at] as SegmentEntry).first, key) > 0) - 1;",
      "const found = firstWhere(0, entries.length, (at) => " +
        "compareKeys((entries[at] as SegmentEntry).first, key) > 0);" +
        "return Math.min(found, entries.length - 1);",
    ],
    [
      "a search misses the segment that begins at the point",
      "as SegmentEntry).first, key) > 0) - 1",
      "as SegmentEntry).first, key) >= 0) - 1",
    ],
    [
      "a read stops at the first segment that ends before the range",
      "if (entry.ends[1] < start) continue;",
      "if (entry.ends[1] < start) break;",
    ],
    [
      "a read takes segments that only reach into its range for sure",
      "if (entry.ends[0] >= start && entry.last[0] <= end) sure",
      "sure",
    ],
    [
      "the reach of a segment is its own end",
      "Math.max(before, (this.#entries[at] as SegmentEntry).ends[1])",
      "(this.#entries[at] as SegmentEntry).ends[1]",
    ],
    [
      "the reach of a segment is the start of its last event",
      "Math.max(before, (this.#entries[at] as SegmentEntry).ends[1])",
      "Math.max(before, (this.#entries[at] as SegmentEntry).last[0])",
    ],
    [
      "the reach is measured from behind the first change",
      "this.#measureFrom(from);",
      "this.#reach.length = this.#entries.length; this.#measureFrom(from + 1);",
    ],
    ["the number of events is not kept", "    this.#count = count;\n", ""],
    ["the digest is not kept", "    this.#digest = digest;\n", ""],
    ["changes are not counted", "    this.#changes++;\n", ""],
    [
      "segments are not sorted at the opening",
      "this.#entries = inOrder(entries);",
      "this.#entries = entries.toReversed();",
    ],
    [
      "an edit looks into one segment only",
      "return this.#entries.filter((entry) => mayContainAny(entry, ascending));",
      "return this.#entries.filter((entry) => mayContainAny(entry, ascending)).slice(0, 1);",
    ],
  ],
  "segment-entry.ts": [
    ["the order of events with one timestamp is open", "return a[0] - b[0] || a[1] - b[1];", "return a[0] - b[0];"],
    ["a segment does not know its last id", "low <= eventId && eventId <= high", "low <= eventId && eventId < high"],
    [
      "a segment does not know the last id of a list",
      "?? Number.POSITIVE_INFINITY) <= high",
      "?? Number.POSITIVE_INFINITY) < high",
    ],
  ],
  "compaction.ts": [
    ["short runs for one segment become several groups", "      byTarget.set(target, joined);\n", ""],
    [
      "late events join the segment before theirs",
      "const entry = index.entries[before];",
      "const entry = index.entries[Math.max(before - 1, 0)];",
    ],
  ],
  "regroup.ts": [
    [
      "a segment and its late events are not sorted",
      "all = [...before, ...events].sort(byTime);",
      "all = [...before, ...events];",
    ],
    ["a rewritten segment stays beside the new ones", "      oldEntries.push(target);\n", ""],
  ],
  "restructure.ts": [
    ["flushed events stay in the memtable", "bucket.take(taken);", ""],
    ["what is left of a small segment is lost", "put: [...back, ...put],", "put: [...put],"],
  ],
  "working-bucket.ts": [
    [
      "what a transaction leaves of a small segment is lost",
      "if (isShort) memtable.putAll",
      "if (false) memtable.putAll",
    ],
  ],
  "read-plan.ts": [
    [
      "the memtable suffices where a segment has an event of the same time",
      "return farthest.timestamp > nearest.last[0];",
      "return farthest.timestamp >= nearest.first[0];",
    ],
  ],
  "read.ts": [
    [
      "a count takes segments whole that reach beyond the range",
      "if (segment.ends[0] >= start && segment.last[0] <= end)",
      "if (segment.ends[0] >= start)",
    ],
  ],
};
