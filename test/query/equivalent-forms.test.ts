// Names with combining characters, as macOS writes them: the same wherever people search, and stored as they came.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientBucket } from "../../src/client/index.js";
import type { JsonValue } from "../../src/domain/json.js";
import { parseTerm } from "../../src/filter/term.js";
import { labelOf } from "../../src/web/categories.js";
import { createCategorizer } from "../../src/web/categorizer.js";
import { createMatcher } from "../../src/web/filter/matcher.js";
import { keepingLines } from "../../src/web/filter/program.js";
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

  test(`filters of the dashboard, asked and in the page: terms in ${form}`, () =>
    withBuckets(BUCKETS, async ({ ask }) => {
      const categories = [{ name: [DECOMPOSED], rule: { type: "regex" as const, regex: `To ${name}` } }];
      for (const [text, seconds] of [
        [`title~${name}`, 30],
        [`title=To ${name}`, 30],
        [`!title=To ${name}`, 40],
        [`title~/${name}$/`, 30],
        [`category:${name}`, 30],
      ] as const) {
        const terms = [parseTerm(text)];
        const rule = JSON.stringify([[[DECOMPOSED], categories[0]?.rule]]);
        const lines = keepingLines({ terms, names: [[DECOMPOSED]] }, "e").join("\n");
        const program = `${READ} e = categorize(e, ${rule});\n${lines}\nRETURN = sum_durations(e);`;
        assert.is(await ask(program), seconds, text);
        const matches = createMatcher(terms, categories);
        const inPage = BUCKETS[`window_${DECOMPOSED}`].filter(([, , data]) => matches(data));
        assert.is(
          inPage.reduce((sum, [, length]) => sum + length, 0),
          seconds,
          text,
        );
      }
      const categorize = createCategorizer(categories);
      assert.is(labelOf(categorize({ title: `To ${DECOMPOSED}` })), DECOMPOSED);
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
