import type { AnsweredError } from "./errors.js";
import type { Schema } from "./schema.js";

/**
 * Every parameter of a path or a query string: by its name, since equal names mean the same on all routes. `error` is
 * what it can cause, beside `INVALID_INPUT`.
 */
export const PARAMETERS = {
  bucketId: {
    in: "path",
    error: "NO_SUCH_BUCKET",
    schema: { type: "string" },
    description: "The id of a bucket, as it is; whoever makes the URL encodes it as one path segment.",
    example: "window_desk",
  },
  redirectedId: {
    in: "path",
    error: "NO_SUCH_REDIRECT",
    schema: { type: "string" },
    description: "The id that a redirect begins at, as it is; whoever makes the URL encodes it as one path segment.",
    example: "window_desk",
  },
  hostname: {
    in: "path",
    schema: { type: "string" },
    description: "The hostname of buckets, as it is; whoever makes the URL encodes it as one path segment.",
    example: "desk",
  },
  undoId: {
    in: "path",
    error: "NO_SUCH_UNDO",
    schema: { type: "string" },
    description: "The id under which something can be undone.",
    example: "5f0c81ab42d7",
  },
  eventId: {
    in: "path",
    error: "NO_SUCH_EVENT",
    schema: { type: "integer", minimum: 0, maximum: 9007199254740991 },
    description: "The id of an event.",
    example: 1,
  },
  key: {
    in: "path",
    schema: { type: "string" },
    description: "The key of a setting, as it is: at most 127 bytes of UTF-8. Whoever makes the URL encodes it.",
    example: "startOfDay",
  },
  keyName: {
    in: "path",
    error: "NO_SUCH_KEY",
    schema: { type: "string" },
    description: "The name of a key.",
    example: "phone",
  },
  sessionId: {
    in: "path",
    error: "NO_SUCH_SESSION",
    schema: { type: "string" },
    description: "The id of a session.",
    example: "kq3v9x1mT0aB",
  },
  code: {
    in: "path",
    error: "NO_SUCH_PAIRING",
    schema: { type: "string" },
    description: "The code of who asks; small letters, and without its dash, are the same.",
    example: "KRTM-4829",
  },
  entryId: {
    in: "path",
    error: "NO_SUCH_ENTRY",
    schema: { type: "string" },
    description: "The id of an entry of the trash.",
    example: "5f0c81ab-42d7",
  },
  extensionOrigin: {
    in: "path",
    schema: { type: "string" },
    description: "The origin of a browser extension; whoever makes the URL encodes it as one path segment.",
    example: "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
  },
  start: {
    in: "query",
    schema: { $ref: "#/components/schemas/TimestampInput" },
    description: "Events that end before this instant are left out.",
    example: "2024-03-01T09:00:00Z",
  },
  end: {
    in: "query",
    schema: { $ref: "#/components/schemas/TimestampInput" },
    description: "Events that begin after this instant are left out.",
    example: "2024-03-01T12:00:00Z",
  },
  limit: {
    in: "query",
    schema: { type: "integer" },
    description: "The most events to answer, of the newest; absent or negative means all.",
    example: 10,
  },
  offset: {
    in: "query",
    schema: { type: "integer", minimum: 0, maximum: 9007199254740991, default: 0 },
    description: "So many events, of those that would be answered, are passed over.",
    example: 0,
  },
  filter: {
    in: "query",
    error: "QUERY_TOO_LARGE",
    schema: { type: "array", items: { type: "string" } },
    description: `Terms that the data of events have to meet, all of them; given once for each. \`app=firefox\`: this
      text; \`title~thesis\`: contains it, whatever the case; \`title~/a|b/\`: a pattern is found in it;
      \`category:A > B\`: this category or one below it; \`thesis\`: any text contains it; \`!\` in front: not met.
      docs/search.md of the package has all of the rules.`,
    example: ["!app=lockscreen"],
  },
  format: {
    in: "query",
    schema: { type: "string", enum: ["json", "ndjson", "csv"] },
    description: "What to answer as, for links; otherwise the header `Accept` says so.",
    example: "json",
  },
  host: {
    in: "query",
    schema: { type: "array", items: { type: "string" } },
    description: "Hostnames of the buckets to search; given once for each. All where it is missing.",
    example: ["desk"],
  },
  bucket: {
    in: "query",
    schema: { type: "array", items: { type: "string" } },
    description: "Ids of the buckets to search, in which `*` stands for any text; given once for each.",
    example: ["window_*"],
  },
  group: {
    in: "query",
    schema: { type: "string" },
    description: "Counts instead of listing: by `day`, or by the value of a key, such as `app` or `title`.",
    example: "app",
  },
  numbers: {
    in: "query",
    schema: { type: "string", enum: ["keep", "fold"], default: "keep" },
    description: "`fold`: groups whose keys differ in numbers alone are one, with `#` for each of these.",
    example: "fold",
  },
  order: {
    in: "query",
    schema: { type: "string", enum: ["newest", "oldest"], default: "newest" },
    description: "Which events come first.",
    example: "newest",
  },
  active: {
    in: "query",
    schema: { type: "boolean", default: false },
    description: "`true`: time away from the computer is cut off, as far as a watcher of its host tells.",
    example: false,
  },
  time_zone: {
    in: "query",
    schema: { type: "string", default: "UTC" },
    description: "The time zone of days, by its name in the IANA database.",
    example: "Europe/Berlin",
  },
  day_start: {
    in: "query",
    schema: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", default: "00:00" },
    description: "When a day begins.",
    example: "04:00",
  },
  bins: {
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: 10_000, default: 1000 },
    description: "The most bins to answer, and the most events that are answered one by one.",
    example: 1000,
  },
  pulsetime: {
    in: "query",
    required: true,
    schema: { type: "number" },
    description: `The longest gap in seconds between the last event and this one that still counts as the same activity;
      a negative one asks for that much overlap.`,
    example: 30,
  },
  force: {
    in: "query",
    error: "UNAUTHORIZED",
    schema: { type: "integer", enum: [1] },
    description: "Confirms a deletion; needed unless the server is in testing mode.",
    example: 1,
  },
  permanent: {
    in: "query",
    schema: { type: "boolean" },
    description: "Delete for good, past the trash, and out of the files of the storage where it can do that.",
    example: false,
  },
  challenge: {
    in: "query",
    schema: { type: "string", pattern: "^[\\w-]{16,128}$" },
    description: "Any text that was never given before: who knows the control token can prove it by this.",
    example: "q2Yx0Vd8KQhWm4tT7bRZ1A",
  },
  name: {
    in: "query",
    schema: { type: "string" },
    description: "What the program finds in the variable `NAME`.",
    example: "week",
  },
} as const;

/** The name of a parameter. */
export type ParameterName = keyof typeof PARAMETERS;

/** What a parameter can cause. */
export function errorOf(name: ParameterName): AnsweredError | undefined {
  const parameter = PARAMETERS[name];
  return "error" in parameter ? parameter.error : undefined;
}

type Place = "path" | "query";

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
  const required = chosen.filter((name) => place === "path" || "required" in PARAMETERS[name]);
  const properties = Object.fromEntries(chosen.map((name) => [name, PARAMETERS[name].schema as Schema]));
  return { type: "object", properties, required, additionalProperties: false };
}
