import type { Schema, SchemaDeclaration, TypeOf } from "./schema.js";
import { BUCKET_SCHEMAS } from "./subjects/buckets.js";
import { EDITING_SCHEMAS } from "./subjects/editing.js";
import { EVENT_SCHEMAS } from "./subjects/events.js";
import { IDENTITY_SCHEMAS } from "./subjects/identity.js";
import { KEY_SCHEMAS } from "./subjects/keys.js";
import { PRIVACY_SCHEMAS } from "./subjects/privacy.js";
import { RETENTION_SCHEMAS } from "./subjects/retention.js";
import { SEARCH_SCHEMAS } from "./subjects/search.js";
import { SESSION_SCHEMAS } from "./subjects/sessions.js";
import { STORAGE_SCHEMAS } from "./subjects/storage.js";
import { TRASH_SCHEMAS } from "./subjects/trash.js";

const OTHER_SCHEMAS = {
  Info: {
    description: "Which server this is.",
    required: ["hostname", "version", "testing", "device_id"],
    properties: {
      hostname: { type: "string", description: "The name of the machine, or what the server was told to say." },
      version: { type: "string", pattern: "^v\\d+\\.\\d+\\.\\d+\\S* \\([a-z]+\\)$", examples: ["v0.2.0 (node)"] },
      testing: { type: "boolean", description: "Whether the server is in testing mode." },
      device_id: { type: "string", format: "uuid", description: "Made once at random and kept with the data." },
      profile: { type: "string", description: "Always `default`, for clients of servers that have profiles." },
    },
  },
  Query: {
    description: "A program, and the periods that it is carried out for.",
    properties: {
      timeperiods: {
        type: "array",
        items: {
          type: "string",
          pattern: "^[^/]+/[^/]+$",
          description: "Two timestamps with a slash between them; both ends are included.",
          examples: ["2024-03-01T00:00:00Z/2024-03-02T00:00:00Z"],
        },
      },
      query: { type: "array", items: { type: "string" }, description: "The lines of the program." },
    },
  },
  QueryResults: {
    type: "array",
    items: {},
    description: "What the program returned for each period, in their order: any JSON value, often a list of events.",
  },
  QueryError: {
    extends: "ErrorMessage",
    description: "What is wrong with a program.",
    properties: {
      type: {
        type: "string",
        enum: ["QueryParseException", "QueryInterpretException", "QueryFunctionException"],
        description: "The text cannot be read, it cannot be carried out, or a function was given something else.",
      },
      message: { type: "string", description: "What it is, with line and column and the place." },
    },
  },
  Veto: {
    extends: "ErrorMessage",
    description: "Why a hook of the program that embeds the server refused a write.",
    properties: {
      type: { type: "string", enum: ["Vetoed"], description: "Tells it from other refusals with the same status." },
      message: { type: "string", description: "What the hook said." },
    },
  },
  Seconds: { type: "number", description: "A duration in seconds, to the microsecond." },
  Settings: { type: "object", additionalProperties: {}, description: "The settings by their keys." },
  SettingValue: { description: "Any JSON value of at most 1000 levels; null stands for no value." },
  Nothing: { type: "object", properties: {}, description: "An empty object: there is nothing to tell." },
  ErrorMessage: {
    description: "Why a request was refused or failed.",
    required: ["message"],
    properties: {
      message: { type: "string", description: "For people." },
      code: { $ref: "ErrorCode" },
      fault: { $ref: "FaultName" },
      values: { $ref: "FaultValues" },
      place: { $ref: "FaultPlace" },
      reason: { type: "string", description: "What the message says beside the place." },
    },
  },
  ErrorCode: { type: "string", description: "What kind of error it is.", examples: ["NO_SUCH_BUCKET"] },
  FaultName: {
    type: "string",
    description: "What exactly is wrong, where that has a name, for pages that say it in their own language.",
    examples: ["noSuchBucket"],
  },
  FaultValues: {
    type: "object",
    additionalProperties: {},
    description: "What the message names of it.",
  },
  FaultPlace: {
    description: "Where it is wrong; numbers count from 1.",
    required: [],
    properties: {
      line: { type: "integer", description: "Of a program." },
      column: { type: "integer", description: "Of a program, in UTF-16 units." },
      function: { type: "string", description: "The function of a program that was given it." },
      rule: { type: "integer", description: "Of a list of rules." },
      field: { type: "string", description: "Of a body or a rule.", examples: ["when.matches"] },
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

/** What each named schema looks like. */
export type Schemas = typeof EVENT_SCHEMAS &
  typeof BUCKET_SCHEMAS &
  typeof IDENTITY_SCHEMAS &
  typeof KEY_SCHEMAS &
  typeof SESSION_SCHEMAS &
  typeof STORAGE_SCHEMAS &
  typeof PRIVACY_SCHEMAS &
  typeof RETENTION_SCHEMAS &
  typeof SEARCH_SCHEMAS &
  typeof TRASH_SCHEMAS &
  typeof EDITING_SCHEMAS &
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
  ...TRASH_SCHEMAS,
  ...EDITING_SCHEMAS,
  ...OTHER_SCHEMAS,
};

/** All named schemas, spelled out: JSON Schema 2020-12, in which references are names. */
export const SCHEMA_LIST: Readonly<Record<SchemaName, Schema>> = Object.fromEntries(
  Object.entries(DECLARATIONS).map(([name, declaration]) => [name, spelledOut(declaration)]),
) as Record<SchemaName, Schema>;

function spelledOut({ extends: base, properties, required, ...rest }: SchemaDeclaration): Schema {
  if (properties === undefined) return rest;
  const inherited = base === undefined ? {} : spelledOut(DECLARATIONS[base as SchemaName]);
  const all = new Set([...(inherited.required ?? []), ...(required ?? Object.keys(properties))]);
  return {
    type: "object",
    ...inherited,
    ...rest,
    ...(all.size > 0 && { required: [...all] }),
    properties: { ...inherited.properties, ...properties },
  };
}

/** The name of a schema. */
export type SchemaName = keyof Schemas;

/** The values of a named schema. */
export type Named<Name extends SchemaName> = TypeOf<Schemas[Name], Schemas>;
