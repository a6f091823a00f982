import type { QuerySent } from "../api/calls.js";
import type { JsonObject } from "../domain/json.js";
import {
  type BucketDefinition,
  type BucketDefinitions,
  type BucketMethods,
  type BucketPlace,
  bindBuckets,
} from "../domain/typed-buckets.js";
import type {
  AcceptedClientEvent,
  ActivityClient,
  CallOptions,
  ClientEvent,
  ClientEventRange,
  NewEvent,
} from "./client-types.js";
import { ActivityClientError } from "./errors.js";

/** An event with the data that its bucket needs. */
export interface NewTypedEvent<Given extends object> extends NewEvent<Given> {
  readonly data: Given;
}

/** A bucket with a data type. Its methods throw the same errors as the client's methods. */
export interface ClientTypedBucket<Given extends object = JsonObject, Data extends object = Given> {
  readonly id: string;
  /** Creates the bucket. @returns `false` if it exists */
  create(options?: CallOptions): Promise<boolean>;
  /** Stores events, all or none. @throws ActivityClientError `INVALID_INPUT` for data that the validator refuses */
  insert(event: NewTypedEvent<Given>, options?: CallOptions): Promise<AcceptedClientEvent<Data>>;
  insert(events: readonly NewTypedEvent<Given>[], options?: CallOptions): Promise<AcceptedClientEvent<Data>[]>;
  /** Merges a heartbeat, or starts a new event. @param pulsetime in seconds */
  heartbeat(event: NewTypedEvent<Given>, pulsetime: number, options?: CallOptions): Promise<AcceptedClientEvent<Data>>;
  /** Reads events, newest first. Nothing validates them again. */
  list(range?: ClientEventRange, options?: CallOptions): Promise<ClientEvent<Data>[]>;
  get(eventId: number, options?: CallOptions): Promise<ClientEvent<Data>>;
  count(range?: QuerySent<"start" | "end" | "filter">, options?: CallOptions): Promise<number>;
}

/** The buckets of definitions, by name. */
export type ClientTypedBuckets<Definitions extends BucketDefinitions> = {
  readonly [Name in keyof Definitions]: Definitions[Name] extends BucketDefinition<infer Given, infer Data>
    ? ClientTypedBucket<Given, Data>
    : never;
};

export interface ClientDefinedBuckets<Definitions extends BucketDefinitions> {
  /** Binds them to the buckets of a client. Nothing is sent. */
  of(
    client: Pick<ActivityClient, "buckets" | "events" | "heartbeat">,
    place: BucketPlace,
  ): ClientTypedBuckets<Definitions>;
}

/** Defines buckets with typed data (docs/guides/client.md#typed-buckets). */
export function defineBuckets<Definitions extends BucketDefinitions>(
  definitions: Definitions,
): ClientDefinedBuckets<Definitions> {
  const refuse = (field: string, reason: string) => new ActivityClientError("INVALID_INPUT", `${field} ${reason}`);
  return {
    of: (client, place) =>
      bindBuckets(client as unknown as BucketMethods, definitions, place, refuse) as ClientTypedBuckets<Definitions>,
  };
}
