import type { JsonValue } from "../domain/json.js";
import type { AnsweredError } from "./errors.js";
import { PARAMETERS, type ParameterName } from "./parameters.js";
import type { SchemaName } from "./schemas.js";

/**
 * What an operation needs (docs/keys.md#what-each-operation-needs). `read`, `append` and `write`: that scope for the
 * bucket of the path. `listed`: nothing, but it shows no more than the caller may read. `admin`: that scope. `owner`:
 * the same, and where there are keys also of callers without one. `operator`: the same, and always of everybody.
 */
export type Need = "read" | "append" | "write" | "listed" | "admin" | "owner" | "operator";

const MIB = 1024 * 1024;

/**
 * Kinds of bodies: those of open operations, one thing (a beat, a bucket, a setting, a program), a list of events,
 * export documents.
 */
export type BodyKind = "open" | "single" | "events" | "import";

/** How large a body may be. */
export interface BodyLimits {
  readonly bytes: number;
  /** Lists, objects, and what stands in them, on all levels together. */
  readonly values: number;
}

/** The limits of each kind (docs/api.md#limits). */
export const BODY_LIMITS: Readonly<Record<BodyKind, BodyLimits>> = {
  // No key is needed to send one.
  open: { bytes: 16 * 1024, values: 1000 },
  single: { bytes: MIB, values: 50_000 },
  events: { bytes: 32 * MIB, values: 5_000_000 },
  // Read while it arrives: what counts are the values of an event, and of what stands beside the events.
  import: { bytes: 1024 * MIB, values: Number.POSITIVE_INFINITY },
};

/** One method of one path, as data: what it takes, what it answers, who may call it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` stands for one path segment. */
  readonly path: string;
  readonly tag: TagName;
  /**
   * The method of servers in process and of clients that calls it, such as `trash.list`. It takes the parameters of the
   * path, the body, and the parameters of the query string.
   */
  readonly call?: string;
  /** The one property of the body that the method takes. Left out: the body. */
  readonly takes?: string;
  /** The one property of the response that the method returns. Left out: the response. */
  readonly returns?: string;
  /** A handler of its own reads the request and writes the response. */
  readonly raw?: boolean;
  /** One line, for lists. */
  readonly summary: string;
  /** What a caller has to know beyond parameters and schemas, in CommonMark. */
  readonly description?: string;
  /** Watchers need it, so the origins of browser extensions may call it (docs/compatibility.md#origins). */
  readonly watcher?: boolean;
  /** Whoever wants a key needs it, so origins of any browser extension may call it (docs/keys.md#pairing). */
  readonly asker?: boolean;
  /** Served without the API key (docs/compatibility.md#api-key). */
  readonly open?: boolean;
  /** What a caller needs where it is not open; left out: no more than to be let in. */
  readonly needs?: Need;
  /** It changes nothing, although its method is not GET. */
  readonly readsOnly?: boolean;
  /** It works on whole buckets in one step, so few are carried out at a time (docs/api.md#limits). */
  readonly bulk?: boolean;
  /** Those of the path, then those of the query string. */
  readonly parameters: readonly ParameterName[];
  /** The body that it needs, by media type. */
  readonly body?: Readonly<Record<string, Content>>;
  /** Says how large the body may be. */
  readonly bodyKind?: BodyKind;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** Errors of its own, beside those that every operation can give. */
  readonly errors: readonly AnsweredError[];
}

/**
 * An operation, as it is written down: what follows from the rest, or most have alike, is left out. `body` is a JSON
 * body of at most 1 MiB, unless `bodyKind` says otherwise, with the example `sends`, or a `form` in its place. `answer`
 * is the response with 200, JSON unless `mediaType` says otherwise, with what it `says` and an `example`; left out, it
 * is an empty object; null, there is none.
 */
export interface Declaration
  extends Omit<Operation, "method" | "path" | "tag" | "parameters" | "body" | "answers" | "errors">,
    Pick<AnswerShape, "headers" | "mediaType" | "others"> {
  /** Method and path. */
  readonly route: `${Operation["method"]} /${string}`;
  /** Left out: that of its subject. */
  readonly tag?: TagName;
  /** What the last parameter of the path names need not exist. */
  readonly creates?: boolean;
  /** Those of the query string; those of the path follow from it. */
  readonly parameters?: readonly ParameterName[];
  readonly body?: SchemaName;
  readonly sends?: JsonValue;
  readonly form?: Content;
  readonly answer?: SchemaName | null;
  readonly says?: string;
  readonly example?: JsonValue;
  /** What 304 says. */
  readonly unchanged?: string;
  /** Beside those that the body, the parameters and the need can cause. */
  readonly errors?: readonly AnsweredError[];
}

/** What every JSON body can be refused for. */
export const BODY_ERRORS: readonly AnsweredError[] = ["INVALID_INPUT", "TOO_LARGE", "UNSUPPORTED_TYPE"];

/** Spells a declaration out. @param subject its tag, unless it has one */
export function operationOf(declaration: Declaration, subject: TagName): Operation {
  const { route, creates, body, sends = null, form, parameters: inQuery = [], errors = [], ...others } = declaration;
  const { answer = "Nothing", says: description = "", example = {}, unchanged, ...more } = others;
  const { headers, mediaType, others: alike, ...rest } = more;
  const [method, path] = route.split(" ") as [Operation["method"], string];
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name as ParameterName);
  const parameters = [...inPath, ...inQuery];
  const caused: readonly AnsweredError[] = [
    ...(body ? BODY_ERRORS : []),
    ...(inQuery.length > 0 ? (["INVALID_INPUT"] as const) : []),
    ...(creates ? inQuery : parameters).flatMap((name) => PARAMETERS[name].error ?? []),
    ...(rest.needs === "operator" ? (["NO_SUCH_ROUTE"] as const) : []),
  ];
  const types = { "application/json": { schema: body, example: sends }, ...(form && { "multipart/form-data": form }) };
  return {
    ...{ method, path, tag: subject, parameters },
    ...(body && { body: types as Operation["body"] & object, bodyKind: "single" }),
    ...rest,
    answers: {
      ...(answer && { 200: { description, headers, mediaType, others: alike, content: { schema: answer, example } } }),
      ...(unchanged && { 304: { description: unchanged } }),
    },
    errors: [...new Set([...caused, ...errors])],
  };
}

/** A body of a request or an answer. */
export interface Content {
  readonly schema: SchemaName;
  /** Really sent, or really answered to the example of the request. */
  readonly example: JsonValue;
}

/** An answer that is no error. Without a body where there is no content. */
export interface AnswerShape {
  readonly description: string;
  readonly content?: Content;
  /** Of the content. @default application/json */
  readonly mediaType?: string | undefined;
  /** The same as texts of other types, which `Accept` or the parameter `format` asks for. */
  readonly others?: Readonly<Record<string, SchemaName>> | undefined;
  /** What a header of the answer says, by its name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What operations are grouped by. */
export const TAGS = {
  about: "Which server this is, and what it offers.",
  buckets: "Containers of events: one for each client, type and hostname.",
  identity: "What buckets and hosts are called, and taking that back.",
  events: "What happened, and for how long.",
  heartbeats: "How watchers report what is going on.",
  query: "Programs over events.",
  transfer: "Export and import of buckets with their events.",
  keys: "What opens the API, and how much of it.",
  sessions: "Who is signed in at a page of the server.",
  pairing: "How programs, phones and browser extensions ask to be let in.",
  storage: "Whether what is stored is sound, and backups of it.",
  privacy: "What is not to be stored.",
  trash: "What was deleted, and can be restored.",
  retention: "How long events are kept, and how exactly.",
  settings: "JSON values by key, kept for user interfaces.",
} as const;

/** The name of a group. */
export type TagName = keyof typeof TAGS;
