// Finds events without duration in a period.
import type { ClientEvent } from "../../../client/client-types.js";
import type { ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import type { Period } from "../../period.js";

/** Maximum number of buckets to query. */
const MAX_ASKED = 8;

/** The newest event of a period without active time; `undefined` if there are no events. */
export async function newestIn(
  telling: readonly ClientBucket[],
  { start, end }: Period,
  signal: AbortSignal,
): Promise<ClientEvent | undefined> {
  const range = { start: new Date(start), end: new Date(end - 1), limit: 1 };
  const lists = telling.slice(0, MAX_ASKED).map(({ id }) => client.events.list(id, range, { signal }));
  const [newest] = (await Promise.all(lists)).flat().sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
  return newest;
}
