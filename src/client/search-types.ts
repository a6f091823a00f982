import type { Named } from "../api/schemas.js";
import type { ClientRange } from "./read-types.js";

/** What to search (docs/search.md). */
export interface ClientSearch extends ClientRange {
  /** Terms that the data of events meet, all of them. @default none */
  readonly filter?: readonly string[] | undefined;
  /** Hostnames of buckets. @default all */
  readonly host?: readonly string[] | undefined;
  /** Ids of buckets, in which `*` stands for any text. @default all */
  readonly bucket?: readonly string[] | undefined;
  /** `fold`: groups whose keys differ in numbers alone are one. @default "keep" */
  readonly numbers?: "keep" | "fold" | undefined;
  /** Most rows; negative = all. @default all */
  readonly limit?: number | undefined;
  /** @default "newest" */
  readonly order?: "newest" | "oldest" | undefined;
  /** Whether time away from the computer is cut off. @default false */
  readonly active?: boolean | undefined;
  /** The time zone of days, by its name. @default "UTC" */
  readonly time_zone?: string | undefined;
  /** When a day begins, `HH:MM`. @default "00:00" */
  readonly day_start?: string | undefined;
}

/** The same, counted: by `day`, or by the value of a key. */
export interface ClientGroupedSearch extends ClientSearch {
  readonly group: string;
}

/** An event that was found, or a part of it that was active. */
export type ClientSearchEvent = Named<"SearchEvent">;
/** Events that are alike. */
export type ClientSearchGroup = Named<"SearchGroup">;
/** What all that was found comes to, whatever the limit. */
export type ClientSearchSummary = Named<"SearchSummary">;

/** What is found, while it is found: iterated once. */
export interface ClientSearchRows<Row> extends AsyncIterable<Row> {
  /** Behind the last row; reads those that nobody took. */
  summary(): Promise<ClientSearchSummary>;
}
