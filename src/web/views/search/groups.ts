// Groups of results, and their table. Stopwatch entries have a label instead of a title.
import type { ClientSearch, ClientSearchRows } from "../../../client/client-types.js";
import type { ClientSearchGroup } from "../../../client/index.js";
import { client } from "../../api.js";
import { type CsvCell, wholeSeconds } from "../../csv.js";
import { STOPWATCH_BUCKET } from "../../stopwatch/entries.js";
import type { Way } from "./address.js";
import type { FoundGroup } from "./first-found.js";

type GroupWay = Exclude<Way, "events">;

/** Groups results by title, app, page or day. */
export function searchGroups(way: GroupWay, search: ClientSearch, signal?: AbortSignal): ClientSearchRows<FoundGroup> {
  if (way === "title") return searchTitles(search, signal);
  return client.search({ ...search, group: way }, { signal });
}

/** Groups as a table with the page's columns, in a machine-readable format. */
export async function tableOf(way: GroupWay, groups: AsyncIterable<FoundGroup>): Promise<readonly CsvCell[][]> {
  const rows: CsvCell[][] = [[way, "seconds", "events", "first", "last"]];
  for await (const { key, seconds = 0, events, first, last } of groups) {
    rows.push([key ?? undefined, wholeSeconds(seconds), events, first, last]);
  }
  return rows;
}

/** Groups results by title, or by label for stopwatch entries. */
function searchTitles(search: ClientSearch, signal?: AbortSignal): ClientSearchRows<FoundGroup> {
  const numbers = "fold" as const;
  const titles = client.search({ ...search, group: "title", numbers }, { signal });
  const timed = { ...search, bucket: [STOPWATCH_BUCKET], group: "label", numbers };
  const labels = async (): Promise<readonly ClientSearchGroup[]> => {
    const found: ClientSearchGroup[] = [];
    for await (const group of client.search(timed, { signal })) if (group.key !== null) found.push(group);
    return found;
  };
  return {
    [Symbol.asyncIterator]: () => withLabels(titles, labels()),
    summary: () => titles.summary(),
  };
}

/** Merges groups of labels into groups of titles, longest first. */
export async function* withLabels(
  titles: AsyncIterable<ClientSearchGroup>,
  labels: Promise<readonly ClientSearchGroup[]>,
): AsyncGenerator<FoundGroup, void, undefined> {
  const left = (await labels).map((group) => ({ ...group, isLabel: true }));
  const seconds = left.reduce((sum, group) => sum + group.seconds, 0);
  const events = left.reduce((sum, group) => sum + group.events, 0);
  for await (const group of titles) {
    while (left[0] !== undefined && left[0].seconds >= group.seconds) yield* left.splice(0, 1);
    // These events are also in the group without a title.
    const rest = { events: group.events - events, seconds: Math.max(0, group.seconds - seconds) };
    if (group.key !== null) yield group;
    else if (rest.events > 0) yield { ...group, ...rest };
  }
  yield* left;
}
