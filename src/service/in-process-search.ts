import type { QueryInput } from "../api/calls.js";
import { decode, type OutputOf } from "../api/codec.js";
import { OPERATION_LIST } from "../api/operations.js";
import { parametersSchema } from "../api/parameters.js";
import { summarizedRows } from "../util/summarized-rows.js";
import { toCallerError } from "./in-process-query.js";
import type { RangeInput } from "./input-coercion.js";
import { PROGRAM } from "./program-source.js";
import type { SearchPart, SearchRequest } from "./search/search.js";
import type { Service } from "./service.js";
import { invalid } from "./validation.js";

/** A search of a program (docs/guides/search.md). */
export interface SearchInput
  extends Omit<RangeInput, "offset">,
    QueryInput<"host" | "bucket" | "numbers" | "active" | "time_zone" | "day_start"> {
  /** Ends the search if the caller has left; it rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A search that counts its results: by `day`, by `category`, or by the value of a key. */
export interface GroupedSearchInput extends SearchInput {
  readonly group: string;
}

/** A found event, cut to the range, or one of its active parts. In microseconds. */
export type FoundEvent = OutputOf<"SearchEvent">;

/** A group of events. */
export type SearchGroup = OutputOf<"SearchGroup">;

/** The totals of all matches. */
export type SearchSummary = OutputOf<"SearchSummary">;

/** Yields results while the search runs. Iterating again repeats the search. */
export interface FoundRows<Row> extends AsyncIterable<Row> {
  /** The totals of the last iteration, after its last row; without an iteration, reads all rows. */
  summary(): Promise<SearchSummary>;
}

export interface SearchEvents {
  (search: GroupedSearchInput): FoundRows<SearchGroup>;
  (search: SearchInput): FoundRows<FoundEvent>;
}

const NAMES = OPERATION_LIST.search.parameters.filter((name) => name !== "format");
const SCHEMA = parametersSchema(NAMES, "query");

/** @param whileRead makes a closing server wait for reads in progress */
export function createInProcessSearch(
  service: Service,
  { whileRead }: { whileRead<T>(items: AsyncIterable<T>): AsyncGenerator<T> },
): SearchEvents {
  return <Row>({ signal, ...given }: SearchInput | GroupedSearchInput): FoundRows<Row> => {
    const wanted = decode(SCHEMA, given, "", PROGRAM) as SearchRequest;
    const isGone = (): boolean => signal?.aborted === true;
    return summarizedRows<Row, SearchSummary>((setSummary) => {
      const parts = untilAborted(service.visible.search({ ...wanted, isGone }), signal);
      return whileRead(toRows(parts, setSummary as (summary: object) => void)) as AsyncGenerator<Row>;
    }, invalid);
  };
}

async function* untilAborted(
  parts: AsyncIterable<SearchPart>,
  signal: AbortSignal | undefined,
): AsyncGenerator<SearchPart> {
  try {
    yield* parts;
  } catch (thrown) {
    throw toCallerError(signal, thrown);
  }
}

async function* toRows(parts: AsyncIterable<SearchPart>, tell: (summary: object) => void): AsyncGenerator<unknown> {
  for await (const part of parts) {
    if ("summary" in part) tell(part.summary);
    else if ("groups" in part) yield* part.groups;
    else {
      for (const { bucketId, timestamp, duration, batch, row } of part.hits) {
        yield { bucket: bucketId, id: batch.ids?.[row] ?? 0, timestamp, duration, data: batch.dataAt(row) };
      }
    }
  }
}
