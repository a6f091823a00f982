import type { JsonObject, JsonValue } from "../domain/json.js";
import { type AnsweredError, ERRORS, exampleOf } from "./errors.js";
import { BODY_LIMITS, type BodyKind, type Content, type Operation, type ResponseShape, TAGS } from "./operation.js";
import { OPERATION_LIST } from "./operations.js";
import { PARAMETERS, type ParameterName } from "./parameters.js";
import { SCHEMA_LIST, type SchemaName } from "./schemas.js";

export interface DocumentOptions {
  readonly version: string;
  /** Prefix of the paths; a relative one is resolved against the URL of the document. */
  readonly serverUrl: string;
  readonly needsKey: boolean;
}

/** Errors of all operations: access checks come first, and the storage may fail. */
const COMMON_ERRORS: readonly AnsweredError[] = [
  "INVALID_INPUT",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "TOO_SLOW",
  "HEAD_TOO_LARGE",
  "BUSY",
  "QUOTA_EXCEEDED",
  ...(Object.keys(ERRORS) as AnsweredError[]).filter((code) => /^STORAGE_(?!UNSUPPORTED)/.test(code)),
];

const ERRORS_WITHOUT_OPERATION: readonly AnsweredError[] = ["NO_SUCH_ROUTE", "METHOD_NOT_ALLOWED"];

const JSON_TYPE = "application/json";

const DESCRIPTION = `Watchers send *heartbeats* to *buckets*, and the server stores them as *events* (a timestamp, a
duration and data). Clients read events, or summarize them with a *query*. Compatible with ActivityWatch.

- Bodies are JSON with \`Content-Type: application/json\` (or \`application/<x>+json\`). Schemas without
  \`additionalProperties: false\` ignore unknown fields. Unknown query parameters are ignored. If one repeats, the
  first one wins, except for lists.
- Timestamps are ISO 8601 strings, and durations are seconds. In a query string, \`+\` is a space, so write
  \`%2B01:00\`.
- A trailing slash makes no difference. \`HEAD\` works like \`GET\` without the body, and \`OPTIONS\` returns 204 with
  \`Allow\`.
- An error has a status of 400 or more and \`{"message": "..."}\`. It has a \`type\` if programs must distinguish it
  from other errors with that status.`;

/** Creates the OpenAPI 3.1 document of a server from the route table. */
export function openApiDocument({ version, serverUrl, needsKey }: DocumentOptions): JsonObject {
  const responses = new Map<string, JsonObject>();
  const paths: Record<string, Record<string, JsonValue>> = {};
  for (const [id, operation] of Object.entries(OPERATION_LIST)) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    const item = paths[path] ?? {};
    item[operation.method.toLowerCase()] = operationObject(id, operation, responses);
    paths[path] = item;
  }
  for (const code of ERRORS_WITHOUT_OPERATION) errorResponse([code], responses);
  return {
    openapi: "3.1.1",
    info: { title: "activity-server", version, description: DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: needsKey ? [{ apiKey: [] }, { session: [] }] : [],
    paths,
    components: {
      schemas: withoutDefaults(inDocument(SCHEMA_LIST as unknown as JsonObject)),
      parameters: Object.fromEntries(PARAMETER_NAMES.map((name) => [name, parameterObject(name)])),
      responses: Object.fromEntries(responses),
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "The API key, if the server has one: `Authorization: Bearer <key>`.",
        },
        session: {
          type: "apiKey",
          in: "header",
          name: "X-Activity-Session",
          description: "The proof of a signed-in page. It is valid only with the session's cookie.",
        },
      },
    },
  };
}

const OPERATORS_ONLY = `Needs an admin key, the control token or a session, even if no other operation needs one. A
  server with neither key nor token returns 404.`;

function operationObject(id: string, operation: Operation, responses: Map<string, JsonObject>): JsonObject {
  const { tag, summary, parameters, body, bodyKind = "single", answers, errors, open } = operation;
  const notes = [operation.description, operation.needs === "operator" && OPERATORS_ONLY, describeOthers(answers)];
  const description = notes.filter(Boolean).join(" ");
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === "" ? {} : { description: inDocument(description) }),
    ...(open === true ? { security: [] } : {}),
    parameters: parameters.filter(isInDocument).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(body === undefined ? {} : { requestBody: bodyObject(body, bodyKind) }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerObject(answer)])),
      ...errorResponses([...errors, ...COMMON_ERRORS], responses),
      ...(errors.includes("VETOED") && { default: otherVeto(responses) }),
    },
  };
}

function bodyObject(body: NonNullable<Operation["body"]>, kind: BodyKind): JsonObject {
  const description = `At most ${BODY_LIMITS[kind].bytes} bytes, unless your app has set another limit.`;
  return { required: true, description, content: contentObject(body) };
}

function contentObject(content: Readonly<Record<string, Content>>): JsonObject {
  const types = Object.entries(content).map(([type, { schema, example }]) => [type, { schema: ref(schema), example }]);
  return Object.fromEntries(types);
}

function answerObject(answer: ResponseShape): JsonObject {
  const { description, content, mediaType = JSON_TYPE, others = {}, items, headers = {} } = answer;
  const otherTypes = Object.entries(others).map(([type, schema]) => [type, { schema: ref(schema) }]);
  const otherContent = Object.fromEntries(otherTypes) as JsonObject;
  const described = Object.entries(headers).map(([name, says]) => [name, { description: says, schema: TEXT }]);
  return {
    description: inDocument(description),
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) }),
    ...(content === undefined ? {} : { content: contentObject({ [mediaType]: content }) }),
    // `itemSchema` of OpenAPI 3.2, which tools for 3.1 do not know.
    ...(items === undefined ? {} : { "x-item-schema": ref(items) }),
    // With several types in `content`, generated clients return a union, and each caller has to narrow it.
    ...(otherTypes.length === 0 ? {} : { "x-other-content": otherContent }),
  };
}

const FORMATS: Readonly<Record<string, string>> = { "application/x-ndjson": "ndjson", "text/csv": "csv" };

function describeOthers(answers: Operation["answers"]): string {
  const types = Object.keys(answers[200]?.others ?? {});
  if (types.length === 0) return "";
  const wishes = types.map((type) => `\`${type}\` (or \`format=${FORMATS[type]}\` in the query string, for links)`);
  return `The header \`Accept\` can request ${wishes.join(" or ")} instead of JSON.`;
}

const TEXT: JsonObject = { type: "string" };

const RETRY_AFTER: JsonObject = { description: "Seconds after which to try again.", schema: TEXT };

const ERROR_HEADERS: Partial<Readonly<Record<AnsweredError, JsonObject>>> = {
  METHOD_NOT_ALLOWED: { Allow: { description: "The methods that the path has.", schema: TEXT } },
  TOO_MANY_REQUESTS: { "Retry-After": RETRY_AFTER },
  BUSY: { "Retry-After": RETRY_AFTER },
  QUOTA_EXCEEDED: { "Retry-After": RETRY_AFTER },
  STORAGE_FAILED: { "Retry-After": RETRY_AFTER },
};

/** Adds the response to a veto for which the hook chose the status. @returns the reference to it */
function otherVeto(responses: Map<string, JsonObject>): JsonObject {
  const { type: _, ...temporary } = exampleOf("VETOED");
  responses.set("OtherVeto", {
    description:
      "A hook of your app refused the write with another status. Without a type, you may send the request again.",
    content: errorContent(["ErrorMessage", "Veto"], { VETOED: temporary }),
    headers: { "Retry-After": RETRY_AFTER },
  });
  return { $ref: "#/components/responses/OtherVeto" };
}

/** @param examples by code */
function errorContent(schemas: readonly SchemaName[], examples: Readonly<Record<string, JsonObject>>): JsonObject {
  const [schema, ...others] = [...new Set(schemas)].map(ref) as [JsonObject, ...JsonObject[]];
  const shown = Object.entries(examples).map(([code, value]) => [code, { value }]);
  const described = others.length === 0 ? schema : { anyOf: [schema, ...others] };
  return { [JSON_TYPE]: { schema: described, examples: Object.fromEntries(shown) } };
}

/** Error responses by status: several codes can share one. */
function errorResponses(codes: readonly AnsweredError[], responses: Map<string, JsonObject>): JsonObject {
  const byStatus = new Map<number, AnsweredError[]>();
  for (const code of new Set(codes)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    Array.from(byStatus, ([status, alike]) => [status, { $ref: errorResponse(alike, responses) }]),
  );
}

/** Adds the response for some codes under a separate name. @returns the reference to it */
function errorResponse(codes: readonly AnsweredError[], responses: Map<string, JsonObject>): string {
  const sorted = [...codes].sort();
  const name = sorted.map(errorName).join("Or");
  const headers = Object.assign({}, ...sorted.map((code) => ERROR_HEADERS[code])) as JsonObject;
  responses.set(name, {
    description: inDocument(sorted.map((code) => ERRORS[code].meaning).join(" ")),
    content: errorContent(sorted.map(schemaOf), Object.fromEntries(sorted.map((code) => [code, exampleOf(code)]))),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  });
  return `#/components/responses/${name}`;
}

function schemaOf(code: AnsweredError): SchemaName {
  const error = ERRORS[code];
  return "schema" in error ? error.schema : "ErrorMessage";
}

/** `NO_SUCH_BUCKET` becomes `NoSuchBucket`. */
function errorName(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
}

/** The description of an operation explains `format`, because it has other values in each. */
const isInDocument = (name: string): boolean => name !== "format";

const PARAMETER_NAMES = (Object.keys(PARAMETERS) as ParameterName[]).filter(isInDocument);

function parameterObject(name: ParameterName): JsonObject {
  const { error: _, ...described } = PARAMETERS[name];
  return { name, ...(inDocument(described as unknown as JsonObject) as JsonObject) };
}

function ref(schema: string): JsonObject {
  return { $ref: `#/components/schemas/${schema}` };
}

/** Spells out the open parts of a schema. Without them, generated clients expect empty objects. */
function openMembers({ type = "", properties }: JsonObject): JsonObject {
  const types = [type].flat();
  const isOpenObject = types.includes("object") && properties === undefined;
  return { ...(isOpenObject && { additionalProperties: true }), ...(types.includes("array") && { items: {} }) };
}

/** Moves defaults to descriptions: openapi-typescript makes each property with a default a required one. */
function withoutDefaults(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutDefaults);
  const { default: byDefault, ...rest } = value as JsonObject;
  const members = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, withoutDefaults(member)]));
  if (byDefault === undefined) return members;
  return { ...members, description: `${rest["description"] ?? ""} Default: ${JSON.stringify(byDefault)}.`.trim() };
}

/** Joins the lines of descriptions, and expands references. */
function inDocument(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replace(/\s*\n\s*/g, " ");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inDocument);
  const { $ref, ...rest } = value as JsonObject;
  const members = Object.entries({ ...openMembers(rest), ...rest }).map(([key, member]) => [key, inDocument(member)]);
  return { ...(typeof $ref === "string" && ref($ref)), ...Object.fromEntries(members) };
}
