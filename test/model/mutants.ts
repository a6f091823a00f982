/** A mistake in the segment engine, as a change of its source. */
export interface Mutant {
  readonly name: string;
  /** Below adapters/segments. */
  readonly file: string;
  readonly code: string;
  readonly mistake: string;
}

/** Mistakes about which segments there are, in which order, and which of them a call needs. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "new segments are put in the place of the first change, unsorted",
    file: "segment-index.ts",
    code: "inOrder([...rest, ...fresh], this.#entries[from - 1])",
    mistake: "[...fresh, ...rest]",
  },
  {
    name: "new segments are put at the end",
    file: "segment-index.ts",
    code: "inOrder([...rest, ...fresh], this.#entries[from - 1])",
    mistake: "[...rest, ...fresh]",
  },
  {
    name: "replaced segments stay",
    file: "segment-index.ts",
    code: "const replaced = new Set(old);",
    mistake: "const replaced = new Set<SegmentEntry>();",
  },
  {
    name: "a search finds the segment after the right one",
    file: "segment-index.ts",
    code: "return firstWhere(0, entries.length, (at) => compareKeys((entries[at] as SegmentEntry).first, key) > 0) - 1;",
    mistake:
      "const found = firstWhere(0, entries.length, (at) => compareKeys((entries[at] as SegmentEntry).first, key) > 0);" +
      "return Math.min(found, entries.length - 1);",
  },
  {
    name: "a search misses the segment that begins at the point",
    file: "segment-index.ts",
    code: "as SegmentEntry).first, key) > 0) - 1",
    mistake: "as SegmentEntry).first, key) >= 0) - 1",
  },
  {
    name: "a read stops at the first segment that ends before the range",
    file: "segment-index.ts",
    code: "if (entry.ends[1] < start) continue;",
    mistake: "if (entry.ends[1] < start) break;",
  },
  {
    name: "a read takes segments that only reach into its range for sure",
    file: "segment-index.ts",
    code: "if (entry.ends[0] >= start && entry.last[0] <= end) sure",
    mistake: "sure",
  },
  {
    name: "the reach of a segment is its own end",
    file: "segment-index.ts",
    code: "Math.max(before, (this.#entries[at] as SegmentEntry).ends[1])",
    mistake: "(this.#entries[at] as SegmentEntry).ends[1]",
  },
  {
    name: "the reach of a segment is the start of its last event",
    file: "segment-index.ts",
    code: "Math.max(before, (this.#entries[at] as SegmentEntry).ends[1])",
    mistake: "Math.max(before, (this.#entries[at] as SegmentEntry).last[0])",
  },
  {
    name: "the reach is measured from behind the first change",
    file: "segment-index.ts",
    code: "this.#measureFrom(from);",
    mistake: "this.#reach.length = this.#entries.length; this.#measureFrom(from + 1);",
  },
  {
    name: "the number of events is not kept",
    file: "segment-index.ts",
    code: "    this.#count = count;\n",
    mistake: "",
  },
  {
    name: "the digest is not kept",
    file: "segment-index.ts",
    code: "    this.#digest = digest;\n",
    mistake: "",
  },
  {
    name: "changes are not counted",
    file: "segment-index.ts",
    code: "    this.#changes++;\n",
    mistake: "",
  },
  {
    name: "segments are not sorted at the opening",
    file: "segment-index.ts",
    code: "this.#entries = inOrder(entries);",
    mistake: "this.#entries = entries.toReversed();",
  },
  {
    name: "an edit looks into one segment only",
    file: "segment-index.ts",
    code: "return this.#entries.filter((entry) => mayContainAny(entry, ascending));",
    mistake: "return this.#entries.filter((entry) => mayContainAny(entry, ascending)).slice(0, 1);",
  },
  {
    name: "the order of events with one timestamp is open",
    file: "segment-entry.ts",
    code: "return a[0] - b[0] || a[1] - b[1];",
    mistake: "return a[0] - b[0];",
  },
  {
    name: "a segment does not know its last id",
    file: "segment-entry.ts",
    code: "low <= eventId && eventId <= high",
    mistake: "low <= eventId && eventId < high",
  },
  {
    name: "a segment does not know the last id of a list",
    file: "segment-entry.ts",
    code: "?? Number.POSITIVE_INFINITY) <= high",
    mistake: "?? Number.POSITIVE_INFINITY) < high",
  },
  {
    name: "short runs for one segment become several groups",
    file: "compaction.ts",
    code: "      byTarget.set(target, joined);\n",
    mistake: "",
  },
  {
    name: "late events join the segment before theirs",
    file: "compaction.ts",
    code: "const entry = index.entries[before];",
    mistake: "const entry = index.entries[Math.max(before - 1, 0)];",
  },
  {
    name: "a segment and its late events are not sorted",
    file: "regroup.ts",
    code: "all = [...before, ...events].sort(byTime);",
    mistake: "all = [...before, ...events];",
  },
  {
    name: "a rewritten segment stays beside the new ones",
    file: "regroup.ts",
    code: "      oldEntries.push(target);\n",
    mistake: "",
  },
  {
    name: "flushed events stay in the memtable",
    file: "restructure.ts",
    code: "bucket.take(taken);",
    mistake: "",
  },
  {
    name: "what is left of a small segment is lost",
    file: "restructure.ts",
    code: "put: [...back, ...put],",
    mistake: "put: [...put],",
  },
  {
    name: "what a transaction leaves of a small segment is lost",
    file: "working-bucket.ts",
    code: "if (isShort) memtable.putAll",
    mistake: "if (false) memtable.putAll",
  },
  {
    name: "the memtable suffices where a segment has an event of the same time",
    file: "read-plan.ts",
    code: "return farthest.timestamp > nearest.last[0];",
    mistake: "return farthest.timestamp >= nearest.first[0];",
  },
  {
    name: "a count takes segments whole that reach beyond the range",
    file: "read.ts",
    code: "if (segment.ends[0] >= start && segment.last[0] <= end)",
    mistake: "if (segment.ends[0] >= start)",
  },
];
