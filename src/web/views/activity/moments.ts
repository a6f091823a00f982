// What was reported in a period without any length.
import type { ClientEvent } from "../../../client/client-types.js";
import type { ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import type { Period } from "../../period.js";

/** Buckets that are asked. */
const MOST_ASKED = 8;

/** The newest event of a period in which no time adds up; `undefined` when nothing was reported either. */
export async function newestIn(
  telling: readonly ClientBucket[],
  { start, end }: Period,
  signal: AbortSignal,
): Promise<ClientEvent | undefined> {
  const range = { start: new Date(start), end: new Date(end - 1), limit: 1 };
  const lists = telling.slice(0, MOST_ASKED).map(({ id }) => client.events.list(id, range, { signal }));
  const [newest] = (await Promise.all(lists)).flat().sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
  return newest;
}
