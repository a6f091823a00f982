import type { Schema, SchemaDeclaration, TypeOf } from "./schema.js";
import { BUCKET_SCHEMAS } from "./subjects/buckets.js";
import { EDITING_SCHEMAS } from "./subjects/editing.js";
import { EVENT_SCHEMAS } from "./subjects/events.js";
import { FEED_SCHEMAS } from "./subjects/feed.js";
import { IDENTITY_SCHEMAS } from "./subjects/identity.js";
import { KEY_SCHEMAS } from "./subjects/keys.js";
import { PRIVACY_SCHEMAS } from "./subjects/privacy.js";
import { REPORT_SCHEMAS } from "./subjects/report.js";
import { REPORT_REQUEST_SCHEMAS } from "./subjects/report-request.js";
import { RETENTION_SCHEMAS } from "./subjects/retention.js";
import { SEARCH_SCHEMAS } from "./subjects/search.js";
import { SESSION_SCHEMAS } from "./subjects/sessions.js";
import { STORAGE_SCHEMAS } from "./subjects/storage.js";
import { TRASH_SCHEMAS } from "./subjects/trash.js";

const OTHER_SCHEMAS = {
  Info: {
    description: "Name, version, mode and device ID of the server.",
    required: ["hostname", "version", "testing", "device_id"],
    properties: {
      hostname: { type: "string", description: "The machine's name, or the configured hostname." },
      version: { type: "string", pattern: "^v\\d+\\.\\d+\\.\\d+\\S* \\([a-z]+\\)$", examples: ["v0.2.0 (node)"] },
      testing: { type: "boolean", description: "Whether the server is in testing mode." },
      device_id: { type: "string", format: "uuid", description: "A random ID that is stored with the data." },
      profile: { type: "string", description: "Always `default`, for clients of servers with profiles." },
    },
  },
  Query: {
    description: "A program and its periods.",
    required: ["timeperiods", "query"],
    properties: {
      timeperiods: {
        type: "array",
        items: {
          type: "string",
          pattern: "^[^/]+/[^/]+$",
          description: "Two timestamps with a slash between them. Both ends are included.",
          examples: ["2024-03-01T00:00:00Z/2024-03-02T00:00:00Z"],
        },
      },
      query: { type: "array", items: { type: "string" }, minItems: 1, description: "The lines of the program." },
      variables: {
        type: "object",
        additionalProperties: {},
        description: "Values of variables by name. The program can use them like its own.",
        examples: [{ bucket: "window_desk", apps: ["editor"] }],
      },
    },
  },
  QueryResults: {
    type: "array",
    items: {},
    description: "The program's result for each period: any JSON value, often a list of events.",
  },
  QueryError: {
    extends: "ErrorMessage",
    description: "An error in a program.",
    properties: {
      type: {
        type: "string",
        enum: ["QueryParseException", "QueryInterpretException", "QueryFunctionException"],
        description: "A parse error, an interpreter error, or a wrong argument of a function.",
      },
      message: { type: "string", description: "The error with line, column and place." },
    },
  },
  Veto: {
    extends: "ErrorMessage",
    description: "The veto of your app's hook.",
    properties: {
      type: { type: "string", enum: ["Vetoed"], description: "Marks a veto among refusals with the same status." },
      message: { type: "string", description: "The hook's message." },
    },
  },
  Seconds: { type: "number", description: "A duration in seconds, to the microsecond." },
  Settings: { type: "object", additionalProperties: {}, description: "The settings by key." },
  SettingValue: { description: "Any JSON value of at most 1000 levels. null means that the setting is missing." },
  Nothing: { type: "object", properties: {}, description: "An empty object." },
  ErrorMessage: {
    description: "The reason why a request was refused or failed.",
    required: ["message"],
    properties: {
      message: { type: "string", description: "A message for people." },
      code: { $ref: "ErrorCode" },
      fault: { $ref: "FaultName" },
      values: { $ref: "FaultValues" },
      place: { $ref: "FaultPlace" },
      reason: { type: "string", description: "The message without the place." },
    },
  },
  ErrorCode: { type: "string", description: "The error's code.", examples: ["NO_SUCH_BUCKET"] },
  FaultName: {
    type: "string",
    description: "The exact problem, if it has a name, for pages in other languages.",
    examples: ["noSuchBucket"],
  },
  FaultValues: { type: "object", additionalProperties: {}, description: "The values in the message." },
  FaultPlace: {
    description: "The place of the problem. Numbers count from 1.",
    required: [],
    properties: {
      line: { type: "integer", description: "The line in a program." },
      column: { type: "integer", description: "The column in a program, in UTF-16 units." },
      function: { type: "string", description: "The function in a program." },
      rule: { type: "integer", description: "The rule in a list." },
      field: { type: "string", description: "The field of a body or a rule.", examples: ["when.matches"] },
    },
  },
  OpenApiDocument: {
    description: "This document.",
    required: ["openapi", "info", "paths"],
    properties: {
      openapi: { type: "string", enum: ["3.1.1"] },
      info: { type: "object" },
      servers: { type: "array" },
      tags: { type: "array" },
      security: { type: "array" },
      paths: { type: "object" },
      components: { type: "object" },
    },
  },
} as const;

export type Schemas = typeof EVENT_SCHEMAS &
  typeof BUCKET_SCHEMAS &
  typeof IDENTITY_SCHEMAS &
  typeof KEY_SCHEMAS &
  typeof SESSION_SCHEMAS &
  typeof STORAGE_SCHEMAS &
  typeof PRIVACY_SCHEMAS &
  typeof RETENTION_SCHEMAS &
  typeof SEARCH_SCHEMAS &
  typeof REPORT_SCHEMAS &
  typeof REPORT_REQUEST_SCHEMAS &
  typeof TRASH_SCHEMAS &
  typeof EDITING_SCHEMAS &
  typeof FEED_SCHEMAS &
  typeof OTHER_SCHEMAS;

const DECLARATIONS: Readonly<Record<SchemaName, SchemaDeclaration>> = {
  ...EVENT_SCHEMAS,
  ...BUCKET_SCHEMAS,
  ...IDENTITY_SCHEMAS,
  ...KEY_SCHEMAS,
  ...SESSION_SCHEMAS,
  ...STORAGE_SCHEMAS,
  ...PRIVACY_SCHEMAS,
  ...RETENTION_SCHEMAS,
  ...SEARCH_SCHEMAS,
  ...REPORT_REQUEST_SCHEMAS,
  ...REPORT_SCHEMAS,
  ...TRASH_SCHEMAS,
  ...EDITING_SCHEMAS,
  ...FEED_SCHEMAS,
  ...OTHER_SCHEMAS,
};

/** All named schemas, expanded: JSON Schema 2020-12, in which references are names. */
export const SCHEMA_LIST: Readonly<Record<SchemaName, Schema>> = Object.fromEntries(
  Object.entries(DECLARATIONS).map(([name, declaration]) => [name, expandSchema(declaration)]),
) as Record<SchemaName, Schema>;

function expandSchema({ extends: base, properties, required, ...rest }: SchemaDeclaration): Schema {
  if (properties === undefined) return rest;
  const inherited = base === undefined ? {} : expandSchema(DECLARATIONS[base as SchemaName]);
  const all = new Set([...(inherited.required ?? []), ...(required ?? Object.keys(properties))]);
  return {
    type: "object",
    ...inherited,
    ...rest,
    ...(all.size > 0 && { required: [...all] }),
    properties: { ...inherited.properties, ...properties },
  };
}

export type SchemaName = keyof Schemas;

export type Named<Name extends SchemaName> = TypeOf<Schemas[Name], Schemas>;
