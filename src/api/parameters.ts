import type { JsonValue } from "../domain/json.js";
import type { AnsweredError } from "./errors.js";
import type { Schema } from "./schema.js";

/** Parameters of paths: texts, unless a schema says otherwise. `error` is what one causes that is unknown. */
export const PATH_PARAMETERS = {
  bucketId: {
    error: "NO_SUCH_BUCKET",
    description: "The id of a bucket, as it is; whoever makes the URL encodes it as one path segment.",
    example: "window_desk",
  },
  redirectedId: {
    error: "NO_SUCH_REDIRECT",
    description: "The id that a redirect begins at, as it is; whoever makes the URL encodes it as one path segment.",
    example: "window_desk",
  },
  hostname: {
    description: "The hostname of buckets, as it is; whoever makes the URL encodes it as one path segment.",
    example: "desk",
  },
  undoId: {
    error: "NO_SUCH_UNDO",
    description: "The id under which something can be undone.",
    example: "5f0c81ab42d7",
  },
  eventId: {
    error: "NO_SUCH_EVENT",
    schema: { type: "integer", minimum: 0, maximum: 9007199254740991 },
    description: "The id of an event.",
    example: 1,
  },
  key: {
    description: "The key of a setting, as it is: at most 127 bytes of UTF-8. Whoever makes the URL encodes it.",
    example: "startOfDay",
  },
  keyName: {
    error: "NO_SUCH_KEY",
    description: "The name of a key.",
    example: "phone",
  },
  sessionId: {
    error: "NO_SUCH_SESSION",
    description: "The id of a session.",
    example: "kq3v9x1mT0aB",
  },
  code: {
    error: "NO_SUCH_PAIRING",
    description: "The code of who asks; small letters, and without its dash, are the same.",
    example: "KRTM-4829",
  },
  entryId: {
    error: "NO_SUCH_ENTRY",
    description: "The id of an entry of the trash.",
    example: "5f0c81ab-42d7",
  },
  extensionOrigin: {
    description: "The origin of a browser extension; whoever makes the URL encodes it as one path segment.",
    example: "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
  },
} as const;

/** Parameters of query strings. `error` is what one can cause, beside `INVALID_INPUT`. */
export const QUERY_PARAMETERS = {
  start: {
    schema: { $ref: "TimestampInput" },
    description: "Events that end before this instant are left out.",
    example: "2024-03-01T09:00:00Z",
  },
  end: {
    schema: { $ref: "TimestampInput" },
    description: "Events that begin after this instant are left out.",
    example: "2024-03-01T12:00:00Z",
  },
  limit: {
    schema: { type: "integer" },
    description: "The most events to answer, of the newest; absent or negative means all.",
    example: 10,
  },
  offset: {
    schema: { type: "integer", minimum: 0, maximum: 9007199254740991, default: 0 },
    description: "So many events, of those that would be answered, are passed over.",
    example: 0,
  },
  filter: {
    error: "QUERY_TOO_LARGE",
    schema: { type: "array", items: { type: "string" } },
    description: `Terms that the data of events have to meet, all of them; given once for each. \`app=firefox\`: this
      text; \`title~thesis\`: contains it, whatever the case; \`title~/a|b/\`: a pattern is found in it;
      \`category:A > B\`: this category or one below it; \`thesis\`: any text contains it; \`!\` in front: not met.
      docs/search.md of the package has all of the rules.`,
    example: ["!app=lockscreen"],
  },
  format: {
    schema: { type: "string", enum: ["json", "ndjson", "csv"] },
    description: "What to answer as, for links; otherwise the header `Accept` says so.",
    example: "json",
  },
  host: {
    schema: { type: "array", items: { type: "string" } },
    description: "Hostnames of the buckets to search; given once for each. All where it is missing.",
    example: ["desk"],
  },
  bucket: {
    schema: { type: "array", items: { type: "string" } },
    description: "Ids of the buckets to search, in which `*` stands for any text; given once for each.",
    example: ["window_*"],
  },
  group: {
    schema: { type: "string" },
    description: "Counts instead of listing: by `day`, or by the value of a key, such as `app` or `title`.",
    example: "app",
  },
  numbers: {
    schema: { type: "string", enum: ["keep", "fold"], default: "keep" },
    description: "`fold`: groups whose keys differ in numbers alone are one, with `#` for each of these.",
    example: "fold",
  },
  order: {
    schema: { type: "string", enum: ["newest", "oldest"], default: "newest" },
    description: "Which events come first.",
    example: "newest",
  },
  active: {
    schema: { type: "boolean", default: false },
    description: "`true`: time away from the computer is cut off, as far as a watcher of its host tells.",
    example: false,
  },
  time_zone: {
    schema: { type: "string", default: "UTC" },
    description: "The time zone of days, by its name in the IANA database.",
    example: "Europe/Berlin",
  },
  day_start: {
    schema: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", default: "00:00" },
    description: "When a day begins.",
    example: "04:00",
  },
  bins: {
    schema: { type: "integer", minimum: 1, maximum: 10_000, default: 1000 },
    description: "The most bins to answer, and the most events that are answered one by one.",
    example: 1000,
  },
  pulsetime: {
    required: true,
    schema: { type: "number" },
    description: `The longest gap in seconds between the last event and this one that still counts as the same activity;
      a negative one asks for that much overlap.`,
    example: 30,
  },
  force: {
    error: "UNAUTHORIZED",
    schema: { type: "integer", enum: [1] },
    description: "Confirms a deletion; needed unless the server is in testing mode.",
    example: 1,
  },
  permanent: {
    schema: { type: "boolean" },
    description: "Delete for good, past the trash, and out of the files of the storage where it can do that.",
    example: false,
  },
  challenge: {
    schema: { type: "string", pattern: "^[\\w-]{16,128}$" },
    description: "Any text that was never given before: who knows the control token can prove it by this.",
    example: "q2Yx0Vd8KQhWm4tT7bRZ1A",
  },
  name: {
    schema: { type: "string" },
    description: "What the program finds in the variable `NAME`.",
    example: "week",
  },
} as const;

/** The name of a parameter. */
export type ParameterName = keyof typeof PATH_PARAMETERS | keyof typeof QUERY_PARAMETERS;

type Place = "path" | "query";

/** A parameter, spelled out. */
export interface Parameter {
  readonly in: Place;
  readonly schema: Schema;
  readonly description: string;
  readonly example: JsonValue;
  readonly required?: boolean;
  readonly error?: AnsweredError;
}

/** Every parameter by its name, since equal names mean the same on all routes. */
export const PARAMETERS: Readonly<Record<ParameterName, Parameter>> = {
  ...placed("path", PATH_PARAMETERS),
  ...placed("query", QUERY_PARAMETERS),
};

function placed<Name extends string>(
  place: Place,
  declared: Readonly<Record<Name, Omit<Parameter, "in" | "schema"> & Partial<Parameter>>>,
): Record<Name, Parameter> {
  const alike = { in: place, schema: { type: "string" }, ...(place === "path" && { required: true }) };
  return Object.fromEntries(
    Object.entries<object>(declared).map(([name, own]) => [name, { ...alike, ...own }]),
  ) as Record<Name, Parameter>;
}

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
