// Data types of buckets, and their validators: https://standardschema.dev
import type { JsonObject } from "./json.js";

/** A validator of any library that implements Standard Schema, such as Zod, Valibot and ArkType. */
export interface StandardSchema<Given = unknown, Data = Given> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Data> | Promise<StandardResult<Data>>;
    readonly types?: { readonly input: Given; readonly output: Data } | undefined;
  };
}

/** The result of a validator. */
export type StandardResult<Data> =
  | { readonly value: Data; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One problem with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * The type of a bucket, and the type of its data.
 *
 * @typeParam Given the data that an app passes
 * @typeParam Data the data that the server stores and returns: the validator's result for `Given`
 */
export interface BucketDefinition<Given extends object = JsonObject, Data extends object = Given> {
  readonly type: string;
  readonly schema: StandardSchema<Given, Data> | undefined;
}

/** Definitions by name. */
export type BucketDefinitions = Readonly<Record<string, BucketDefinition<object, object>>>;

/** Client and hostname for the buckets of definitions. */
export interface BucketPlace {
  /** The program that writes to them. */
  readonly client: string;
  /** The machine that they describe. */
  readonly hostname: string;
  /** Returns a bucket's ID. @default `CLIENT-NAME_HOSTNAME` */
  readonly id?: ((name: string) => string) | undefined;
}

/**
 * Defines the data of a bucket: `bucket<{ app: string }>("currentwindow")`, which nothing checks, or with a validator,
 * which checks the data of each heartbeat and insert.
 *
 * @param type the bucket's type
 */
export function bucket<Data extends object = JsonObject>(type: string): BucketDefinition<Data>;
export function bucket<Given extends object, Data extends object>(
  type: string,
  schema: StandardSchema<Given, Data>,
): BucketDefinition<Given, Data>;
export function bucket(type: string, schema?: StandardSchema<object, object>): BucketDefinition<object> {
  return { type, schema };
}

/** Creates the error for invalid data. @param field such as `data.title` @param reason follows the field */
export type RefuseData = (field: string, reason: string) => Error;

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** The methods of servers and clients whose first argument is a bucket ID. */
export interface BucketMethods {
  readonly buckets: { readonly create: Method };
  /** Servers have `read`, clients have `list`. */
  readonly events: Readonly<Record<"insert" | "get" | "count", Method> & { read?: Method; list?: Method }>;
  readonly heartbeat: Method;
}

/** Binds definitions to the buckets of a server or a client. */
export function bindBuckets(
  api: BucketMethods,
  definitions: BucketDefinitions,
  place: BucketPlace,
  refuse: RefuseData,
): Readonly<Record<string, object>> {
  const { insert, get, count, read, list } = api.events;
  const { client, hostname } = place;
  const bound = Object.entries(definitions).map(([name, definition]) => [name, bindBucket(name, definition)]);
  return Object.fromEntries(bound);

  function bindBucket(name: string, definition: BucketDefinition<object>) {
    const id = place.id?.(name) ?? `${client}-${name}_${hostname}`;
    const about =
      (method: Method): Method =>
      (...rest) =>
        method(id, ...rest);
    return {
      id,
      create: (...rest: unknown[]) => api.buckets.create(id, { type: definition.type, client, hostname }, ...rest),
      ...{ get: about(get), count: about(count), ...(read ? { read: about(read) } : { list: about(list as Method) }) },
      async insert(given: unknown, ...rest: unknown[]) {
        const valid = validateData(definition, Array.isArray(given) ? given : [given], refuse);
        // Awaits only a promise, so that calls reach the storage in their order.
        const events = isPromise(valid) ? await valid : valid;
        return insert(id, Array.isArray(given) ? events : events[0], ...rest);
      },
      async heartbeat(given: unknown, ...rest: unknown[]) {
        const valid = validateData(definition, [given], refuse);
        const [event] = isPromise(valid) ? await valid : valid;
        return api.heartbeat(id, event, ...rest);
      },
    };
  }
}

/** @returns the events with the data that the validator returned; at once, if the validator is synchronous */
function validateData(
  { schema }: BucketDefinition<object>,
  events: readonly unknown[],
  refuse: RefuseData,
): readonly unknown[] | Promise<readonly unknown[]> {
  if (schema === undefined) return events;
  const results = events.map((event) => schema["~standard"].validate((event as { data?: unknown } | null)?.data));
  const read = (all: readonly StandardResult<object>[]): readonly object[] =>
    all.map((result, index) => ({ ...(events[index] as object), data: dataIn(result, index, refuse) }));
  return results.some(isPromise) ? Promise.all(results).then(read) : read(results as StandardResult<object>[]);
}

/** Checks for `then`: a promise can come from another realm, such as a test runner's. */
function isPromise<Value extends object>(value: Value | Promise<Value>): value is Promise<Value> {
  return "then" in value;
}

function dataIn(result: StandardResult<object>, index: number, refuse: RefuseData): object {
  if (result.issues === undefined) return result.value;
  const [{ message, path = [] } = { message: "no reason" }] = result.issues;
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  throw refuse(["data", ...keys].join("."), `of event ${index} is invalid: ${message}`);
}
