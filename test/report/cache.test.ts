import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventSource } from "../../src/query/source.js";
import type { ReportRules } from "../../src/report/rules.js";
import { ReportCache } from "../../src/service/report/cache.js";

const test = suite("kept reports");

type Report = Awaited<ReturnType<Parameters<ReportCache["get"]>[1]>>;

const REPORT = { groups: {}, bins: [], coverage: [], totals: { active: 1 } } as unknown as Report;

test("a report is made again only if a bucket, a setting or the request changes", async () => {
  let version: string | undefined = "1";
  let made = 0;
  const source = { versions: (ids: readonly string[]) => ids.map(() => version) } as unknown as EventSource;
  const cache = new ReportCache(source, undefined);
  const rules = {} as ReportRules;
  async function times(given: { key?: string; rules?: ReportRules } = {}): Promise<number> {
    const { totals } = await cache.get({ key: "a", bucketIds: ["window"], rules, ...given }, async () => {
      made++;
      return structuredClone(REPORT);
    });
    assert.is(totals.active, 1);
    return made;
  }
  assert.equal([await times(), await times()], [1, 1]);
  version = "2";
  assert.equal([await times(), await times()], [2, 2]);
  assert.is(await times({ key: "b" }), 3);
  assert.is(await times({ rules: {} as ReportRules }), 4);
  version = undefined;
  assert.equal([await times(), await times()], [5, 6], "a storage without versions");
});

test.run();
