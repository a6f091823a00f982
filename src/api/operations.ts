import type { JsonValue } from "../domain/json.js";
import { type Declaration, type Operation, operationOf, type TagName } from "./operation.js";
import type { PATH_PARAMETERS, QUERY_PARAMETERS } from "./parameters.js";
import type { TypeOf } from "./schema.js";
import type { SchemaName, Schemas } from "./schemas.js";
import { ABOUT_OPERATIONS } from "./subjects/about.js";
import { BUCKET_OPERATIONS } from "./subjects/buckets.js";
import { EDITING_OPERATIONS } from "./subjects/editing.js";
import { EVENT_OPERATIONS } from "./subjects/events.js";
import { FEED_OPERATIONS } from "./subjects/feed.js";
import { IDENTITY_OPERATIONS } from "./subjects/identity.js";
import { KEY_OPERATIONS } from "./subjects/keys.js";
import { PAIRING_OPERATIONS } from "./subjects/pairing.js";
import { PRIVACY_OPERATIONS } from "./subjects/privacy.js";
import { QUERY_OPERATIONS } from "./subjects/query.js";
import { REPORT_OPERATIONS } from "./subjects/report.js";
import { RETENTION_OPERATIONS } from "./subjects/retention.js";
import { SEARCH_OPERATIONS } from "./subjects/search.js";
import { SESSION_OPERATIONS } from "./subjects/sessions.js";
import { SETTINGS_OPERATIONS } from "./subjects/settings.js";
import { STORAGE_OPERATIONS } from "./subjects/storage.js";
import { TRANSFER_OPERATIONS } from "./subjects/transfer.js";
import { TRASH_OPERATIONS } from "./subjects/trash.js";

export type Operations = typeof ABOUT_OPERATIONS &
  typeof BUCKET_OPERATIONS &
  typeof IDENTITY_OPERATIONS &
  typeof EVENT_OPERATIONS &
  typeof EDITING_OPERATIONS &
  typeof FEED_OPERATIONS &
  typeof QUERY_OPERATIONS &
  typeof SEARCH_OPERATIONS &
  typeof REPORT_OPERATIONS &
  typeof TRANSFER_OPERATIONS &
  typeof KEY_OPERATIONS &
  typeof SESSION_OPERATIONS &
  typeof PAIRING_OPERATIONS &
  typeof STORAGE_OPERATIONS &
  typeof PRIVACY_OPERATIONS &
  typeof RETENTION_OPERATIONS &
  typeof TRASH_OPERATIONS &
  typeof SETTINGS_OPERATIONS;

const BY_TAG: readonly (readonly [TagName, ...Readonly<Record<string, Declaration>>[]])[] = [
  ["about", ABOUT_OPERATIONS],
  ["buckets", BUCKET_OPERATIONS],
  ["identity", IDENTITY_OPERATIONS],
  ["events", EVENT_OPERATIONS, EDITING_OPERATIONS, FEED_OPERATIONS],
  ["query", QUERY_OPERATIONS, SEARCH_OPERATIONS, REPORT_OPERATIONS],
  ["transfer", TRANSFER_OPERATIONS],
  ["keys", KEY_OPERATIONS],
  ["sessions", SESSION_OPERATIONS],
  ["pairing", PAIRING_OPERATIONS],
  ["storage", STORAGE_OPERATIONS],
  ["privacy", PRIVACY_OPERATIONS],
  ["retention", RETENTION_OPERATIONS],
  ["trash", TRASH_OPERATIONS],
  ["settings", SETTINGS_OPERATIONS],
];

/**
 * The route table: every operation of the API, expanded. The source of routes, the OpenAPI document, the API browser
 * and the methods of the client.
 */
export const OPERATION_LIST: Readonly<Record<OperationId, Operation>> = Object.fromEntries(
  BY_TAG.flatMap(([tag, ...subjects]) =>
    subjects.flatMap(Object.entries<Declaration>).map(([id, declaration]) => [id, operationOf(declaration, tag)]),
  ),
) as Record<OperationId, Operation>;

export type OperationId = keyof Operations;

/** The schema of an operation's response with 200. */
export type AnswerName<Id extends OperationId> = Operations[Id] extends {
  readonly answer: infer Name extends SchemaName;
}
  ? Name
  : "Nothing";

export type BodyName<Id extends OperationId> = Operations[Id] extends { readonly body: infer Name extends SchemaName }
  ? Name
  : never;

/** The parameters in the path of an operation, unencoded. */
export type PathOf<Id extends OperationId> = {
  readonly [Name in ParametersIn<Id, "path">]: ValueOf<Path[Name]>;
};

type Path = typeof PATH_PARAMETERS;
type Query = typeof QUERY_PARAMETERS;
type ValueOf<Parameter> = Parameter extends { readonly schema: infer Given }
  ? TypeOf<Given, Schemas> & JsonValue
  : string;

export type ParametersIn<Id extends OperationId, Place extends "path" | "query"> = Place extends "path"
  ? Segments<Operations[Id]["route"]> & keyof Path
  : Operations[Id] extends { readonly parameters: readonly (infer Name)[] }
    ? Name & keyof Query
    : never;

type Segments<Path> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | Segments<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;
