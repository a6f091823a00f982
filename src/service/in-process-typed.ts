import type { AcceptedEvent, ActivityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";
import type { DurationInput } from "../domain/time.js";
import {
  type BucketDefinition,
  type BucketDefinitions,
  type BucketMethods,
  type BucketPlace,
  bindBuckets,
} from "../domain/typed-buckets.js";
import { fieldUnfit } from "../errors.js";
import type { InProcessApi } from "./in-process.js";
import type { EventReader } from "./in-process-reader.js";
import type { EventInput, RangeInput } from "./input-coercion.js";

/** An event with the data type of its bucket. */
export interface TypedEventInput<Given extends object> extends EventInput<Given> {
  readonly data: Given;
}

/** A bucket with a data type. Its methods throw the same errors as the server's methods. */
export interface TypedBucket<Given extends object = JsonObject, Data extends object = Given> {
  readonly id: string;
  /** Creates the bucket. @returns `false` if it exists */
  create(): Promise<boolean>;
  /** Stores events, all or none. @throws ActivityError `INVALID_INPUT` for data that the validator rejects */
  insert(event: TypedEventInput<Given>): Promise<AcceptedEvent<Data>>;
  insert(events: readonly TypedEventInput<Given>[]): Promise<AcceptedEvent<Data>[]>;
  /** Merges a heartbeat, or starts a new event. @throws ActivityError `INVALID_INPUT` like `insert` */
  heartbeat(event: TypedEventInput<Given>, pulsetime: DurationInput): Promise<AcceptedEvent<Data>>;
  /** Reads events, newest first. Does not validate them again. */
  read(range?: RangeInput): EventReader<Data>;
  get(eventId: number): Promise<ActivityEvent<Data>>;
  count(range?: Omit<RangeInput, "limit" | "offset" | "order">): Promise<number>;
}

/** The buckets of definitions, by name. */
export type TypedBuckets<Definitions extends BucketDefinitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends BucketDefinition<infer Given, infer Data>
    ? TypedBucket<Given, Data>
    : never;
};

export interface DefinedBuckets<Definitions extends BucketDefinitions> {
  /** Binds them to the buckets of a server, without reading or writing. */
  of(server: Pick<InProcessApi, "buckets" | "events" | "heartbeat">, place: BucketPlace): TypedBuckets<Definitions>;
}

/** Defines buckets with typed data (docs/guides/in-process.md#typed-buckets). */
export function defineBuckets<Definitions extends BucketDefinitions>(
  definitions: Definitions,
): DefinedBuckets<Definitions> {
  return {
    of: (server, place) =>
      bindBuckets(server as unknown as BucketMethods, definitions, place, fieldUnfit) as TypedBuckets<Definitions>,
  };
}
