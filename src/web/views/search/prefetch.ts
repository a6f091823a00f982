// Prefetches the events of the address while the view is loading.
import type { ClientSearch, ClientSearchRows } from "../../../client/client-types.js";
import type { ClientSearchEvent } from "../../../client/index.js";
import { client, clientAhead } from "../../api.js";
import { filterTexts, route } from "../../router.js";
import { currentCalendar } from "../../settings.js";
import { createSearch, firstLimit, parseSearchAddress, VIEW } from "./address.js";

/** A prefetch that no view has used yet. */
interface Prefetch {
  readonly key: string;
  readonly rows: ClientSearchRows<ClientSearchEvent>;
  /** Belongs to the only iteration, since another one would search again. */
  readonly iterator: AsyncIterator<ClientSearchEvent>;
  readonly first: Promise<IteratorResult<ClientSearchEvent> | undefined>;
  readonly controller: AbortController;
}

let prefetch: Prefetch | undefined;

/**
 * Prefetches the search in the address, if there is one, with default settings, since the actual ones are not loaded
 * yet.
 */
export function prefetchSearch(): void {
  const place = route.peek();
  const filter = filterTexts.peek();
  const calendar = currentCalendar.peek();
  const address =
    place.path[0] === VIEW && filter.length > 0 ? parseSearchAddress(place, calendar, Date.now()) : undefined;
  if (address === undefined) return;
  const search = { ...createSearch(filter, address, calendar), limit: firstLimit(address.way) };
  const controller = new AbortController();
  const rows = clientAhead.search(search, { signal: controller.signal });
  const iterator = rows[Symbol.asyncIterator]();
  const first = iterator.next();
  // On a failure, the view repeats the request.
  prefetch = { key: JSON.stringify(search), rows, iterator, first: first.catch(() => undefined), controller };
}

/** Searches events, using the prefetch if it matches. */
export function searchEvents(search: ClientSearch, signal: AbortSignal): ClientSearchRows<ClientSearchEvent> {
  const ahead = prefetch;
  prefetch = undefined;
  if (ahead?.key === JSON.stringify(search)) return continuePrefetch(ahead, search, signal);
  ahead?.controller.abort();
  return client.search(search, { signal });
}

function continuePrefetch(
  ahead: Prefetch,
  search: ClientSearch,
  signal: AbortSignal,
): ClientSearchRows<ClientSearchEvent> {
  let used = ahead.rows;
  async function* read(): AsyncGenerator<ClientSearchEvent, void, undefined> {
    const step = await ahead.first;
    if (step === undefined) {
      used = client.search(search, { signal });
      yield* used;
    } else if (step.done !== true) {
      yield step.value;
      yield* { [Symbol.asyncIterator]: () => ahead.iterator };
    }
  }
  signal.addEventListener("abort", () => ahead.controller.abort(), { once: true });
  const rows = read();
  return {
    [Symbol.asyncIterator]: () => rows,
    async summary() {
      for await (const _row of rows) {
        // An aborted prefetch is expected.
      }
      return used.summary();
    },
  };
}
