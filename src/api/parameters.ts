import type { JsonValue } from "../domain/json.js";
import type { AnsweredError } from "./errors.js";
import type { Schema } from "./schema.js";

/** Parameters of paths: strings, unless they have a schema. `error` is the one for an unknown value. */
export const PATH_PARAMETERS = {
  bucketId: { error: "NO_SUCH_BUCKET", description: "The bucket's ID.", example: "window_desk" },
  redirectedId: { error: "NO_SUCH_REDIRECT", description: "The redirect's old ID.", example: "window_desk" },
  hostname: { description: "The hostname of buckets.", example: "desk" },
  undoId: { error: "NO_SUCH_UNDO", description: "The undo ID of the change.", example: "5f0c81ab42d7" },
  eventId: {
    error: "NO_SUCH_EVENT",
    schema: { type: "integer", minimum: 0, maximum: 9007199254740991 },
    description: "The event's ID.",
    example: 1,
  },
  key: { description: "The setting's key: at most 127 bytes of UTF-8.", example: "startOfDay" },
  keyName: { error: "NO_SUCH_KEY", description: "The key's name.", example: "phone" },
  sessionId: { error: "NO_SUCH_SESSION", description: "The session's ID.", example: "kq3v9x1mT0aB" },
  code: {
    error: "NO_SUCH_PAIRING",
    description: "The code of the pairing request. Case and the dash do not matter.",
    example: "KRTM-4829",
  },
  entryId: { error: "NO_SUCH_ENTRY", description: "The ID of the trash entry.", example: "5f0c81ab-42d7" },
  extensionOrigin: {
    description: "The extension's origin.",
    example: "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
  },
} as const;

/** Parameters of query strings. `error` is a possible one in addition to `INVALID_INPUT`. */
export const QUERY_PARAMETERS = {
  start: {
    schema: { $ref: "TimestampInput" },
    description: "Omits events that end before this time.",
    example: "2024-03-01T09:00:00Z",
  },
  end: {
    schema: { $ref: "TimestampInput" },
    description: "Omits events that begin after this time.",
    example: "2024-03-01T12:00:00Z",
  },
  limit: {
    schema: { type: "integer" },
    description: "The maximum number of newest events. Missing or negative: all.",
    example: 10,
  },
  offset: {
    schema: { type: "integer", minimum: 0, maximum: 9007199254740991, default: 0 },
    description: "Skips this many events.",
    example: 0,
  },
  filter: {
    error: "QUERY_TOO_LARGE",
    schema: { type: "array", items: { type: "string", pattern: "\\S" }, maxItems: 100 },
    description: `Conditions that the data of events must match, repeatable. \`app=firefox\`: the exact string;
      \`title~thesis\`: contains it, ignoring case; \`title~/a|b/\`: matches a pattern; \`category:A > B\`: this
      category or a subcategory; \`thesis\`: any string contains it. \`!\` negates a condition. The package describes
      all rules in docs/guides/search.md.`,
    example: ["!app=lockscreen"],
  },
  format: {
    schema: { type: "string", enum: ["json", "ndjson", "csv"] },
    description: "The response format, for links. Otherwise, the header `Accept` decides.",
    example: "json",
  },
  host: {
    schema: { type: "array", items: { type: "string" } },
    description: "Hostnames of the buckets to search, repeatable. Missing: all.",
    example: ["desk"],
  },
  bucket: {
    schema: { type: "array", items: { type: "string" } },
    description: "IDs of the buckets to search, in which `*` matches any characters; repeatable.",
    example: ["window_*"],
  },
  group: {
    schema: { type: "string" },
    description: "Counts instead of listing: by `day`, by `category`, or by the value of a key, such as `app`.",
    example: "app",
  },
  numbers: {
    schema: { type: "string", enum: ["keep", "fold"], default: "keep" },
    description: "`fold`: groups whose keys differ only in numbers become one, with `#` for each number.",
    example: "fold",
  },
  order: {
    schema: { type: "string", enum: ["newest", "oldest"], default: "newest" },
    description: "The order of events.",
    example: "newest",
  },
  active: {
    schema: { type: "boolean", default: false },
    description: "`true`: removes time away from the computer, if the host has a watcher for it.",
    example: false,
  },
  time_zone: {
    schema: { type: "string", default: "UTC" },
    description: "The time zone of days, as an IANA name.",
    example: "Europe/Berlin",
  },
  day_start: {
    schema: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", default: "00:00" },
    description: "The start of a day.",
    example: "04:00",
  },
  bins: {
    schema: { type: "integer", minimum: 1, maximum: 10_000, default: 1000 },
    description: "The maximum number of bins, and of events without bins.",
    example: 1000,
  },
  buckets: {
    schema: { type: "string", minLength: 1, maxLength: 300 },
    description: "Only changes of these buckets: an ID in which `*` matches any characters. Missing: all.",
    example: "window_*",
  },
  types: {
    schema: { type: "string", pattern: "^(events|bucket|setting|pairing)(,(events|bucket|setting|pairing))*$" },
    description:
      "Some of `events`, `bucket`, `setting`, `pairing`, with commas. Missing: all; with `buckets`, the first two.",
    example: "events,bucket",
  },
  after: {
    schema: { type: "string", pattern: "^[A-Za-z0-9]{1,20}-\\d{1,15}$" },
    description: "The `id` of the last message that the client has. The header `Last-Event-ID` applies instead.",
    example: "k3n9Zq1xYv-1042",
  },
  pulsetime: {
    required: true,
    schema: { type: "number" },
    description: `The maximum gap in seconds to the previous event of the same activity. A negative one requires that
        much overlap.`,
    example: 30,
  },
  force: {
    error: "UNAUTHORIZED",
    schema: { type: "integer", enum: [1] },
    description: "Confirms a deletion. Required unless the server is in testing mode.",
    example: 1,
  },
  permanent: {
    schema: { type: "boolean" },
    description: "Delete permanently, skipping the trash, and remove the bytes from the storage's files if possible.",
    example: false,
  },
  challenge: {
    schema: { type: "string", pattern: "^[\\w-]{16,128}$" },
    description: "A new random string. The server's response proves that it knows the control token.",
    example: "q2Yx0Vd8KQhWm4tT7bRZ1A",
  },
  name: { schema: { type: "string" }, description: "The value of the program's variable `NAME`.", example: "week" },
} as const;

export type ParameterName = keyof typeof PATH_PARAMETERS | keyof typeof QUERY_PARAMETERS;

type Place = "path" | "query";
type DeclaredParameter = Omit<Parameter, "in" | "schema"> & Partial<Parameter>;

const TEXT: Schema = { type: "string" };

export interface Parameter {
  readonly in: Place;
  readonly schema: Schema;
  readonly description: string;
  readonly example: JsonValue;
  readonly required?: boolean;
  readonly error?: AnsweredError;
}

/** Every parameter by its name, since equal names have the same meaning on all routes. */
export const PARAMETERS: Readonly<Record<ParameterName, Parameter>> = Object.fromEntries([
  ...Object.entries<DeclaredParameter>(PATH_PARAMETERS).map(([name, own]) => {
    const description = own.schema ? own.description : `${own.description} In the URL, it is one encoded path segment.`;
    return [name, { in: "path", schema: TEXT, required: true, ...own, description }];
  }),
  ...Object.entries<DeclaredParameter>(QUERY_PARAMETERS).map(([name, own]) => [name, { in: "query", ...own }]),
]);

const schemas: WeakMap<readonly ParameterName[], Readonly<Record<Place, Schema>>> = new WeakMap();

/** The parameters of an operation in its path, or in its query string, as the properties of one object. */
export function parametersSchema(names: readonly ParameterName[], place: Place): Schema {
  let made = schemas.get(names);
  if (made === undefined) {
    // Once for all servers of the process.
    made = { path: schemaOf(names, "path"), query: schemaOf(names, "query") };
    schemas.set(names, made);
  }
  return made[place];
}

function schemaOf(names: readonly ParameterName[], place: Place): Schema {
  const chosen = names.filter((name) => PARAMETERS[name].in === place);
  const required = chosen.filter((name) => PARAMETERS[name].required);
  const properties = Object.fromEntries(chosen.map((name) => [name, PARAMETERS[name].schema]));
  return { type: "object", properties, required, additionalProperties: false };
}
