// Names with combining characters, as macOS writes them: the same wherever people search, and stored as they came.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientBucket } from "../../src/client/index.js";
import type { JsonValue } from "../../src/domain/json.js";
import { suggestionsFor } from "../../src/web/filter/suggest.js";
import { matching } from "../../src/web/views/buckets/overview.js";
import { withBuckets } from "./asking.js";

const test = suite("equivalent forms");

const COMPOSED = "M\u00fcller";
const DECOMPOSED = "Mu\u0308ller";
const BUCKETS = {
  [`window_${DECOMPOSED}`]: [
    [0, 10, { app: "Mail", title: `To ${COMPOSED}` }],
    [10, 20, { app: "Mail", title: `To ${DECOMPOSED}` }],
    [30, 40, { app: "Mail", title: "To Muller" }],
  ],
} as const;
const READ = `e = query_bucket(find_bucket("window_"));`;

for (const form of ["NFC", "NFD"] as const) {
  const name = COMPOSED.normalize(form);

  test(`categorize and tag: rules in ${form}`, () =>
    withBuckets(BUCKETS, async ({ ask }) => {
      for (const fields of ["", ', "select_keys": ["title"]', ', "ignore_case": true']) {
        const rule = `{"type": "regex", "regex": "${name}"${fields}}`;
        const tagged = `filter_keyvals(tag(e, [["t", ${rule}]]), "$tags", [["t"]])`;
        assert.is(await ask(`${READ} RETURN = sum_durations(${tagged});`), 30, fields);
        const categorized = `filter_keyvals(categorize(e, [[["c"], ${rule}]]), "$category", [["c"]])`;
        assert.is(await ask(`${READ} RETURN = sum_durations(${categorized});`), 30, fields);
      }
    }));

  test(`classes of data and reports: terms in ${form}`, () =>
    withBuckets(BUCKETS, async ({ server }) => {
      const spans = BUCKETS[`window_${DECOMPOSED}`];
      await server.settings.put("classes", [{ name: [DECOMPOSED], rule: { type: "regex", regex: `To ${name}` } }]);
      const window = { type: "currentwindow", client: "test", hostname: "desk" };
      await server.buckets.create(
        "aw-watcher-window_desk",
        window,
        spans.map(([start, length, data]) => ({
          ...{ timestamp: new Date(Date.UTC(2024, 2, 1, 10) + start * 1000), duration: { seconds: length }, data },
        })),
      );
      for (const [text, seconds] of [
        [`title~${name}`, 30],
        [`title=To ${name}`, 30],
        [`!title=To ${name}`, 40],
        [`title~/${name}$/`, 30],
        [`category:${name}`, 30],
      ] as const) {
        assert.is((await server.report({ date: "2024-03-01", filter: [text] })).totals.active, seconds, text);
        const { matches } = await server.classify({ data: spans.map(([, , data]) => data), filter: [text] });
        const found = spans.filter((_, index) => matches[index]);
        assert.is(
          found.reduce((sum, [, length]) => sum + length, 0),
          seconds,
          text,
        );
      }
      const { categories } = await server.classify({ data: [{ title: `To ${DECOMPOSED}` }] });
      assert.equal(categories, [[DECOMPOSED]]);
      const handle = `app=${DECOMPOSED}`;
      assert.ok(suggestionsFor(name, { categories: [], handles: [handle] }).some(({ text }) => text === handle));
    }));

  test(`search and deletion: terms, buckets and hosts in ${form}`, () =>
    withBuckets(BUCKETS, async ({ server }) => {
      const where = { buckets: [`*_${name}`], hosts: [name] };
      const titles: JsonValue[] = [];
      for await (const { data } of server.search({
        filter: [`title~${name}`],
        bucket: where.buckets,
        host: where.hosts,
      }))
        titles.push(data["title"] ?? null);
      assert.equal(titles, [`To ${DECOMPOSED}`, `To ${COMPOSED}`], "as they came");
      const [bucket] = await server.buckets.list();
      assert.is(matching([{ ...bucket, name: null } as unknown as ClientBucket], `window_${name}`).length, 1);
      const deleted = await server.events.deleteMatchingIn({ ...where, filter: [`title=To ${name}`] });
      assert.is(deleted.count, 2);
    }));
}

test("filter_keyvals and filter_keyvals_regex are about characters as they are, as on other servers", () =>
  withBuckets(BUCKETS, async ({ ask }) => {
    for (const [call, seconds] of [
      [`filter_keyvals(e, "title", ["To ${COMPOSED}"])`, 10],
      [`filter_keyvals_regex(e, "title", "${COMPOSED}")`, 10],
      [`filter_keyvals_regex(e, "title", "${DECOMPOSED}")`, 20],
    ] as const) {
      assert.is(await ask(`${READ} RETURN = sum_durations(${call});`), seconds, call);
    }
  }));

test.run();
