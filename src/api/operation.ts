import type { JsonValue } from "../domain/json.js";
import type { AnsweredError } from "./errors.js";
import type { ParameterName } from "./parameters.js";
import type { SchemaName } from "./schemas.js";

/** One method of one path, as data: what it takes, what it answers, who may call it. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` stands for one path segment. */
  readonly path: string;
  readonly tag: TagName;
  /** One line, for lists. */
  readonly summary: string;
  /** What a caller has to know beyond parameters and schemas, in CommonMark. */
  readonly description?: string;
  /** Watchers need it, so the origins of browser extensions may call it (docs/compatibility.md#origins). */
  readonly watcher?: boolean;
  /** Served without the API key (docs/compatibility.md#api-key). */
  readonly open?: boolean;
  /** Those of the path, then those of the query string. */
  readonly parameters: readonly ParameterName[];
  /** The body that it needs, by media type. */
  readonly body?: Readonly<Record<string, Content>>;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** Errors of its own, beside those that every operation can give. */
  readonly errors: readonly AnsweredError[];
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
  readonly mediaType?: string;
  /** What a header of the answer says, by its name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What operations are grouped by. */
export const TAGS = {
  about: "Which server this is, and what it offers.",
  buckets: "Containers of events: one for each client, type and hostname.",
  events: "What happened, and for how long.",
  heartbeats: "How watchers report what is going on.",
  query: "Programs over events.",
  transfer: "Export and import of buckets with their events.",
  storage: "Whether what is stored is sound, and backups of it.",
  settings: "JSON values by key, kept for user interfaces.",
} as const;

/** The name of a group. */
export type TagName = keyof typeof TAGS;
