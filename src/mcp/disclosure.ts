// What each level of disclosure shows. docs/guides/assistants.md#disclosure

import { DISCLOSURES, type Disclosure } from "../domain/key-scope.js";
import type { WireReport } from "./tool.js";

/** A list of a report. */
export type ListName = "category" | "app" | "language" | "host" | "site" | "title" | "url" | "project" | "file";

/** The lists of reports by the level that they need. */
const LEVELS: Readonly<Record<ListName, Disclosure>> = {
  category: "categories",
  app: "apps",
  language: "apps",
  host: "apps",
  site: "sites",
  title: "titles",
  url: "titles",
  project: "titles",
  file: "titles",
};

/** All lists. */
export const LISTS: readonly ListName[] = Object.keys(LEVELS) as ListName[];

/** Whether a level includes another one. */
export function includes(disclosure: Disclosure, needed: Disclosure): boolean {
  return DISCLOSURES.indexOf(needed) <= DISCLOSURES.indexOf(disclosure);
}

/** The level that a list needs. */
export function levelOf(list: ListName): Disclosure {
  return LEVELS[list];
}

/** The lists that a level includes. */
export function listsIn(disclosure: Disclosure): readonly ListName[] {
  return LISTS.filter((list) => includes(disclosure, LEVELS[list]));
}

/** Bucket IDs contain hostnames and apps, and messages of faults contain patterns. */
export function discloseCoverage({ coverage, faults }: WireReport, disclosure: Disclosure): object {
  const namesBuckets = includes(disclosure, "apps");
  return {
    coverage: coverage.map(({ bucket, host, kind, seconds, first, last, silent }) => {
      return { ...(namesBuckets && { bucket, host }), kind, seconds, first, last, silent };
    }),
    faults: faults.map(({ setting, rule, message }) => {
      return { setting, ...(namesBuckets && { rule }), ...(includes(disclosure, "titles") && { message }) };
    }),
  };
}
