// Finds the categories of data that a page shows, by the rules of reports.
import type { DomainOf } from "../../api/codec.js";
import type { JsonObject } from "../../domain/json.js";
import { fieldUnfit } from "../../errors.js";
import type { Steps } from "../../filter/checks.js";
import { compileFilter } from "../../filter/compile.js";
import type { BucketView } from "../../query/view.js";
import { categoryFinder, compileRules, type ReportRules } from "../../report/rules.js";
import type { Storage } from "../../storage/storage.js";
import { parseTerms, runInSlices } from "../search/filters.js";
import { reportRules } from "./rules.js";

type Classified = DomainOf<"Classified">;

const MAX_DATA = 2000;

/**
 * Finds categories by the stored rules. A caller that may read no bucket gets those of the default rules.
 *
 * @param view `undefined` = all buckets
 * @param check throws if it takes too long
 * @throws ActivityError `INVALID_INPUT`, `QUERY_TOO_LARGE`
 */
export async function classify(
  storage: Storage,
  view: BucketView | undefined,
  { data, filter }: DomainOf<"ClassifyRequest">,
  check: () => void,
): Promise<Classified> {
  if (data.length > MAX_DATA) {
    throw fieldUnfit("data", `must have at most ${MAX_DATA} items, got ${data.length}; send several requests`);
  }
  const finish = <Result>(steps: Steps<Result>): Promise<Result> => runInSlices(steps, check);
  const rules = view?.isEmpty ? await finish(compileRules({})) : await reportRules(storage, finish);
  return finish(classifyAll(data as readonly JsonObject[], filter, rules));
}

function* classifyAll(data: readonly JsonObject[], filter: readonly string[], rules: ReportRules): Steps<Classified> {
  const categoryOf = categoryFinder(rules);
  const compiled = compileFilter(parseTerms(filter), rules.categories);
  const categories: (readonly string[])[] = [];
  const matches: boolean[] = [];
  for (const one of data) {
    for (;;) {
      const category = categoryOf(one);
      const isMatch = category && compiled.test(one);
      if (category !== undefined && isMatch !== undefined) {
        categories.push(category);
        matches.push(isMatch);
        break;
      }
      yield;
    }
    yield;
  }
  return { categories, matches };
}
