import type { JsonValue } from "../domain/json.js";
import type { AnsweredError } from "./errors.js";
import { PARAMETERS, type ParameterName } from "./parameters.js";
import { SCHEMA_LIST, type SchemaName } from "./schemas.js";

/**
 * The right that an operation needs (docs/reference/access.md#what-each-operation-needs). `read`, `append` and `write`:
 * that scope for the bucket of the path. `listed`: none, but the response contains only readable data. `admin`: that
 * scope. `owner`: the same, and if keys exist, even from callers without one. `operator`: the same, always and from
 * every caller.
 */
export type Need = "read" | "append" | "write" | "listed" | "admin" | "owner" | "operator";

const MIB = 1024 * 1024;

/**
 * Kinds of bodies: those of open operations, one item (a heartbeat, a bucket, a setting, a query), a list of events,
 * export documents.
 */
export type BodyKind = "open" | "single" | "events" | "import";

export interface BodyLimits {
  readonly bytes: number;
  /** Lists, objects and their members, on all levels together. */
  readonly values: number;
}

/** The limits of each kind (docs/reference/limits.md). */
export const BODY_LIMITS: Readonly<Record<BodyKind, BodyLimits>> = {
  // Callers without a key may send it.
  open: { bytes: 16 * 1024, values: 1000 },
  single: { bytes: MIB, values: 50_000 },
  events: { bytes: 32 * MIB, values: 5_000_000 },
  // Parsed while it is received: the limit applies to the values of an event, and to those outside events.
  import: { bytes: 1024 * MIB, values: Number.POSITIVE_INFINITY },
};

/** A method of a path, as data: its input, its responses, and its access. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` matches one path segment. */
  readonly path: string;
  readonly tag: TagName;
  /**
   * The method of servers in process and of clients that calls it, such as `trash.list`. Its arguments are the
   * parameters of the path, the body, and the parameters of the query string.
   */
  readonly call?: string;
  /** The only property of the body, which the method takes instead. Default: the body. */
  readonly takes?: string;
  /** The only property of the response, which the method returns instead. Default: the response. */
  readonly returns?: string;
  /** Whether it has a separate handler that reads the request and writes the response. */
  readonly raw?: boolean;
  /** One line, for lists. */
  readonly summary: string;
  /** Information for callers in addition to parameters and schemas, in CommonMark. */
  readonly description?: string;
  /**
   * Whether watchers need it, so that the origins of browser extensions may call it
   * (docs/reference/compatibility.md#origins).
   */
  readonly watcher?: boolean;
  /**
   * Whether callers without a key need it, so that origins of any browser extension may call it
   * (docs/reference/keys.md#pairing).
   */
  readonly asker?: boolean;
  /** Whether it is served without the API key (docs/reference/compatibility.md#api-key). */
  readonly open?: boolean;
  /** The right of the caller, unless it is open. Default: any valid credentials. */
  readonly needs?: Need;
  /** Whether it changes nothing, although its method is not GET. */
  readonly readsOnly?: boolean;
  /** Whether it processes whole buckets in one step, so that few run at a time (docs/reference/limits.md). */
  readonly bulk?: boolean;
  /** Parameters of the path, then of the query string. */
  readonly parameters: readonly ParameterName[];
  /** The required body, by media type. */
  readonly body?: Readonly<Record<string, Content>>;
  readonly bodyKind?: BodyKind;
  /** By status. */
  readonly answers: Readonly<Record<number, ResponseShape>>;
  /** Errors in addition to the errors of every operation. */
  readonly errors: readonly AnsweredError[];
}

/**
 * The short form of an operation, without the derived and common properties. `body` is a JSON body of at most 1 MiB,
 * unless `bodyKind` is set, with the example `sends`, or a `form` instead. `answer` is the response with 200, JSON
 * unless `mediaType` is set, with an `example`. `says` describes it, by default like its schema. By default it is an
 * empty object; null means no response with 200.
 */
export interface Declaration
  extends Omit<Operation, "method" | "path" | "tag" | "parameters" | "body" | "answers" | "errors">,
    Pick<ResponseShape, "headers" | "mediaType" | "others" | "items"> {
  readonly route: `${Operation["method"]} /${string}`;
  /** Default: the tag of its subject. */
  readonly tag?: TagName;
  /** Whether the last parameter of the path may name an unknown item. */
  readonly creates?: boolean;
  /** Parameters of the query string; those of the path are derived from it. */
  readonly parameters?: readonly ParameterName[];
  readonly body?: SchemaName;
  readonly sends?: JsonValue;
  readonly form?: Content;
  readonly answer?: SchemaName | null;
  readonly says?: string;
  readonly example?: JsonValue;
  readonly unchanged?: string;
  /** Errors that do not follow from the body, the parameters and the need. */
  readonly errors?: readonly AnsweredError[];
}

export const BODY_ERRORS: readonly AnsweredError[] = ["INVALID_INPUT", "TOO_LARGE", "UNSUPPORTED_TYPE"];

/** Expands a declaration. @param subject its tag, unless it has one */
export function operationOf(declaration: Declaration, subject: TagName): Operation {
  const { route, creates, needs, body, sends = null, form, parameters: inQuery = [], errors = [] } = declaration;
  const { answer = "Nothing", example = {}, unchanged, headers, mediaType, others, items } = declaration;
  const { says = SCHEMA_LIST[answer ?? "Nothing"].description ?? "" } = declaration;
  const [method, path] = route.split(" ") as [Operation["method"], string];
  const parameters = [...((path.match(/(?<=:)\w+/g) ?? []) as ParameterName[]), ...inQuery];
  const caused = new Set<AnsweredError>(body ? BODY_ERRORS : []);
  if (inQuery.length > 0) caused.add("INVALID_INPUT");
  for (const name of creates ? inQuery : parameters) if (PARAMETERS[name].error) caused.add(PARAMETERS[name].error);
  if (needs === "operator") caused.add("NO_SUCH_ROUTE");
  const answers: Record<number, ResponseShape> = {};
  const content = { schema: answer ?? "Nothing", example };
  if (answer) answers[200] = { description: says, headers, mediaType, others, items, content };
  if (unchanged) answers[304] = { description: unchanged };
  const json = body && { "application/json": { schema: body, example: sends } };
  return {
    tag: subject,
    ...(json && { bodyKind: "single" }),
    ...(declaration as Omit<Declaration, "body" | "parameters" | "errors">),
    ...(json && { body: form ? { ...json, "multipart/form-data": form } : json }),
    ...{ method, path, parameters, answers, errors: [...caused, ...errors.filter((code) => !caused.has(code))] },
  };
}

export interface Content {
  readonly schema: SchemaName;
  /** A real request, or the real response to the example of the request. */
  readonly example: JsonValue;
}

/** A successful response. Without a body if there is no content. */
export interface ResponseShape {
  readonly description: string;
  readonly content?: Content;
  /** Media type of the content. @default application/json */
  readonly mediaType?: string | undefined;
  /** The same content in other types, selected by `Accept` or the parameter `format`. */
  readonly others?: Readonly<Record<string, SchemaName>> | undefined;
  readonly items?: SchemaName | undefined;
  /** Descriptions of the response's headers, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export const TAGS = {
  about: "Information about the server, and its API description.",
  buckets: "Containers of events, one for each client, type and hostname.",
  identity: "Renaming and merging of buckets and hosts, redirects and undo.",
  events: "Activities with their time and data.",
  heartbeats: "Reports of the current activity by watchers.",
  query: "Programs over events.",
  transfer: "Export and import of buckets with their events.",
  keys: "Keys of the API and their rights.",
  sessions: "Sign-in to the server's own pages.",
  pairing: "Requests for a key by programs, phones and browser extensions.",
  storage: "Health, checks and backups of stored data.",
  privacy: "Rules that keep private data out of the storage.",
  trash: "Deleted data, which you can restore.",
  retention: "Rules for old events.",
  settings: "JSON values by key, for user interfaces.",
} as const;

export type TagName = keyof typeof TAGS;
