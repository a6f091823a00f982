// Whether buckets still get events: one rule for the strip at the top and for the lists of buckets.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientBucket } from "../../src/client/index.js";
import { groupWatchers, isWatcher } from "../../src/web/live/now.js";
import { lastOf, type Reporting, reportingOf } from "../../src/web/reporting.js";

const test = suite("who still reports");

const NOW = Date.parse("2024-03-01T12:00:00Z");

/** A bucket whose last event ended so many seconds ago; `undefined` = it has none. */
function bucket(type: string, silence?: number): ClientBucket {
  const created = "2024-01-01T00:00:00+00:00";
  const end = silence === undefined ? null : new Date(NOW - silence * 1000).toISOString();
  return {
    ...{ id: `${type}-bucket`, name: null, type, client: "test", hostname: "desk", created, data: {} },
    ...{ metadata: { start: end && created, end }, last_updated: end },
  };
}

const CASES: readonly (readonly [type: string, silence: number | undefined, reporting: Reporting])[] = [
  ["currentwindow", 60, "now"],
  ["currentwindow", 61, "recent"],
  ["afkstatus", 200, "now"],
  ["afkstatus", 241, "recent"],
  ["web.tab.current", 120, "now"],
  ["web.tab.current", 151, "recent"],
  ["app.editor.activity", 150, "now"],
  ["app.editor.activity", 86_401, "silent"],
  ["of.nobody", 180, "now"],
  ["of.nobody", 181, "recent"],
  ["__proto__", 86_400, "recent"],
  ["__proto__", 86_401, "silent"],
  // An absence up to midnight, a clock that is ahead, and an event that somebody has put years ahead.
  ["afkstatus", -43_200, "now"],
  ["currentwindow", -86_400, "now"],
  ["currentwindow", -86_401, "silent"],
  ["currentwindow", undefined, "empty"],
];

for (const [type, silence, reporting] of CASES) {
  test(`${type} after ${silence ?? "no event and"} seconds: ${reporting}`, () => {
    const one = bucket(type, silence);
    assert.is(reportingOf(one, NOW), reporting);
    // The strip has no place for others.
    if (!isWatcher(one)) return;
    const [standing] = groupWatchers([{ bucket: one, newest: undefined }], NOW);
    // Of what ends another day ahead it has to be asked when it reported before.
    const ageSeconds = silence !== undefined && silence < -86_400 ? undefined : silence;
    assert.equal([standing?.reporting, standing?.ageSeconds], [reporting === "now" ? 1 : 0, ageSeconds]);
  });
}

test("the last event of a bucket ends where its metadata say, or else when it was updated", () => {
  const one = bucket("currentwindow", 5);
  assert.is(lastOf(one), NOW - 5000);
  assert.is(lastOf({ ...one, metadata: { start: null, end: null } }), NOW - 5000);
  assert.is(lastOf({ ...one, last_updated: null }), NOW - 5000);
  assert.is(lastOf(bucket("currentwindow")), 0);
});

test.run();
