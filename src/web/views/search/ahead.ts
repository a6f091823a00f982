// The events of the address are asked for before there is anything to show them: meanwhile the view is loaded.
import type { ClientSearch, ClientSearchRows } from "../../../client/client-types.js";
import type { ClientSearchEvent } from "../../../client/index.js";
import { client, clientAhead } from "../../api.js";
import { filterTexts, route } from "../../router.js";
import { currentCalendar } from "../../settings.js";
import { askedBy, firstLimit, searchOf, VIEW } from "./asked.js";

/** A search that runs, and that nobody has taken. */
interface Begun {
  readonly key: string;
  readonly rows: ClientSearchRows<ClientSearchEvent>;
  readonly first: Promise<IteratorResult<ClientSearchEvent> | undefined>;
  readonly controller: AbortController;
}

let begun: Begun | undefined;

/** Begins the search of the address, where it is one: with the settings of a new server, since others are not known. */
export function searchAhead(): void {
  const place = route.peek();
  const filter = filterTexts.peek();
  const calendar = currentCalendar.peek();
  const asked = place.path[0] === VIEW && filter.length > 0 ? askedBy(place, calendar, Date.now()) : undefined;
  if (asked === undefined) return;
  const search = { ...searchOf(filter, asked, calendar), limit: firstLimit(asked.way) };
  const controller = new AbortController();
  const rows = clientAhead.search(search, { signal: controller.signal });
  const first = rows[Symbol.asyncIterator]().next();
  // Whoever takes it asks again.
  begun = { key: JSON.stringify(search), rows, first: first.catch(() => undefined), controller };
}

/** Searches events, by the search that was begun if that asks for the same. */
export function searchEvents(search: ClientSearch, signal: AbortSignal): ClientSearchRows<ClientSearchEvent> {
  const ahead = begun;
  begun = undefined;
  if (ahead?.key === JSON.stringify(search)) return goneOn(ahead, search, signal);
  ahead?.controller.abort();
  return client.search(search, { signal });
}

function goneOn(ahead: Begun, search: ClientSearch, signal: AbortSignal): ClientSearchRows<ClientSearchEvent> {
  let used = ahead.rows;
  async function* read(): AsyncGenerator<ClientSearchEvent, void, undefined> {
    const step = await ahead.first;
    if (step === undefined) used = client.search(search, { signal });
    else if (step.done !== true) yield step.value;
    yield* used;
  }
  signal.addEventListener("abort", () => ahead.controller.abort(), { once: true });
  const rows = read();
  return {
    [Symbol.asyncIterator]: () => rows,
    async summary() {
      for await (const _row of rows) {
        // The end of it is wanted.
      }
      return used.summary();
    },
  };
}
