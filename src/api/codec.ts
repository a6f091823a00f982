// Decodes and encodes values by their schemas, so that no operation needs its own parser or serializer.
import { isJsonObject, type JsonValue } from "../domain/json.js";
import { wireMillisRemedy } from "../domain/millis.js";
import { type Micros, microsToSeconds, parseTimestamp, secondsToMicros, serializeTimestamp } from "../domain/time.js";
import { ActivityError, mustBe, quote, shownValue } from "../errors.js";
import type { Domain, Input, Output, Schema, Sent, TypeName, TypeOf } from "./schema.js";
import { SCHEMA_LIST, type SchemaName, type Schemas } from "./schemas.js";

/** Values inside the server: names in camelCase, times in microseconds. */
export type DomainOf<Name extends SchemaName> = TypeOf<Schemas[Name], Schemas, Domain>;

/** Values that a server returns to an app in the same process. */
export type OutputOf<Name extends SchemaName> = TypeOf<Schemas[Name], Schemas, Output>;

/** Values that an app passes to a server in the same process. */
export type InputOf<Name extends SchemaName> = TypeOf<Schemas[Name], Schemas, Input>;

/** Values that a caller passes to a client. */
export type SentOf<Name extends SchemaName> = TypeOf<Schemas[Name], Schemas, Sent>;

/** How an interface represents names, times and JSON. */
export interface Source {
  /** The name of a property that the schema names in snake_case. */
  name(property: string): string;
  /** @returns `undefined` for an invalid timestamp */
  timestamp(value: unknown): Micros | undefined;
  duration(value: unknown): Micros | undefined;
  /** Parses a JSON value without a schema. @throws ActivityError `INVALID_INPUT` */
  json(value: unknown, place: string): JsonValue;
  readonly timestampName: string;
  readonly durationName: string;
  readonly timestampRemedy?: (value: unknown) => string;
  readonly bodyName: string;
}

/** JSON of requests. */
export const WIRE: Source = {
  name: (property) => property,
  timestamp: (value) => (typeof value === "string" ? parseTimestamp(value) : undefined),
  duration: (value) => (typeof value === "number" ? secondsToMicros(value) : undefined),
  json: (value) => value as JsonValue,
  timestampName: "a time like 2024-03-01T10:00:00Z",
  durationName: "a number of seconds",
  timestampRemedy: wireMillisRemedy,
  bodyName: "the body",
};

/**
 * Validates a value and converts it to the form inside the server.
 *
 * @param place name of the value in messages; empty for a body, so that its fields have only their names
 * @throws ActivityError `INVALID_INPUT` with the field
 */
export function decode(schema: Schema, value: unknown, place: string, source: Source = WIRE): unknown {
  const read = resolved(schema);
  const leaf = leafOf(read);
  if (leaf !== undefined) return source[leaf](value) ?? refuse(schema, value, place, source);
  const { anyOf, type, items, minLength = 0, minimum = -Infinity, maximum = Infinity } = read;
  if (anyOf !== undefined) {
    const member = anyOf.find((each) => isOfKind(each, value, source));
    return member === undefined ? refuse(schema, value, place, source) : decode(member, value, place, source);
  }
  if (!isOfKind(read, value, source)) return refuse(schema, value, place, source);
  if (typeof value === "string" && value.length < minLength) return refuse(schema, value, place, source);
  if (typeof value === "number" && (value < minimum || value > maximum)) return refuse(schema, value, place, source);
  if (Array.isArray(value) && items !== undefined) {
    return value.map((item: unknown, index) => decode(items, item, `${place}[${index}]`, source));
  }
  if (type === undefined) return source.json(value, place || source.bodyName);
  return typeof value === "object" && value !== null ? decodeObject(read, value as Fields, place, source) : value;
}

type Fields = Readonly<Record<string, unknown>>;

function decodeObject(schema: Schema, value: Fields, place: string, source: Source): unknown {
  const { properties, additionalProperties } = schema;
  const at = (name: string): string => (place === "" ? name : `${place}.${name}`);
  if (properties === undefined) {
    if (!additionalProperties) return source.json(value, place || source.bodyName);
    const members = Object.entries(value).map(([name, member]) => {
      return [name, decode(additionalProperties, member, at(name), source)];
    });
    return Object.fromEntries(members);
  }
  const known = propertiesOf(schema, source);
  if (additionalProperties === false) refuseOthers(value, known, place);
  const decoded: Record<string, unknown> = {};
  for (const { own, domain, property, isRequired, byDefault } of known) {
    const given = Object.hasOwn(value, own) ? value[own] : undefined;
    if (given !== undefined || isRequired) decoded[domain] = decode(property, given, at(own), source);
    else if (byDefault !== undefined) decoded[domain] = byDefault;
  }
  return decoded;
}

interface Property {
  readonly own: string;
  readonly domain: string;
  readonly property: Schema;
  readonly isRequired: boolean;
  readonly byDefault: JsonValue | undefined;
}

const propertiesKnown: WeakMap<Source, WeakMap<Schema, readonly Property[]>> = new WeakMap();

/** Looked up once for all requests: every read decodes a range. */
function propertiesOf(schema: Schema, source: Source): readonly Property[] {
  const known = propertiesKnown.get(source)?.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, required = [] } = schema;
  const found = Object.entries(properties).map(([name, property]) => ({
    own: source.name(name),
    domain: camel(name),
    property,
    isRequired: required.includes(name),
    byDefault: property.default ?? resolved(property).default,
  }));
  const bySchema = propertiesKnown.get(source) ?? new WeakMap<Schema, readonly Property[]>();
  propertiesKnown.set(source, bySchema.set(schema, found));
  return found;
}

/** For bodies in which a misspelled field would do more than intended: a preview would change stored data. */
function refuseOthers(value: Fields, known: readonly Property[], place: string): void {
  const unknown = Object.keys(value).find(
    (name) => value[name] !== undefined && !known.some(({ own }) => own === name),
  );
  if (unknown === undefined) return;
  const field = quote(place === "" ? unknown : `${place}.${unknown}`);
  const names = known.map(({ own }) => own).join(", ");
  throw new ActivityError("INVALID_INPUT", `unknown field ${field}; fields are ${names}`);
}

function refuse(schema: Schema, value: unknown, place: string, source: Source): never {
  const wanted = wantedBy(schema, source);
  const remedy = wanted.includes(source.timestampName) ? source.timestampRemedy?.(value) : "";
  const last = wanted.pop();
  const what = wanted.length === 0 ? last : `${wanted.join(", ")} or ${last}`;
  if (place !== "") throw mustBe(place, `${what}`, value, remedy);
  throw new ActivityError("INVALID_INPUT", `${source.bodyName} must be ${what}, got ${shownValue(value)}`);
}

const NAMES: Readonly<Record<TypeName, readonly string[]>> = {
  object: ["an object"],
  array: ["a list"],
  string: ["a string"],
  number: ["a number"],
  integer: ["an integer"],
  boolean: ["true", "false"],
  null: ["null"],
};

function wantedBy(schema: Schema, source: Source): string[] {
  const { type, anyOf, minLength, minimum, maximum, ...rest } = resolved(schema);
  const leaf = leafOf(resolved(schema));
  if (leaf !== undefined) return [source[`${leaf}Name`]];
  if (rest.enum !== undefined) return rest.enum.map((value) => (typeof value === "string" ? quote(value) : `${value}`));
  if (anyOf !== undefined) return [...new Set(anyOf.flatMap((member) => wantedBy(member, source)))];
  if (minLength !== undefined) return ["a string with at least one character"];
  if (type === undefined) return ["a JSON value"];
  const range =
    minimum === undefined ? "" : maximum === undefined ? ` of ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return typesOf(type).flatMap((name) => NAMES[name].map((each) => `${each}${range}`));
}

/** Whether a value has one of the schema's types; its content is not checked. */
function isOfKind(schema: Schema, value: unknown, source: Source): boolean {
  const read = resolved(schema);
  const { type, anyOf } = read;
  const leaf = leafOf(read);
  if (leaf !== undefined) return source[leaf](value) !== undefined;
  if (read.enum !== undefined) return read.enum.includes(value as JsonValue);
  if (anyOf !== undefined) return anyOf.some((member) => isOfKind(member, value, source));
  if (type === undefined) return value !== undefined;
  return typeof type === "string" ? isOfType(type, value) : type.some((name) => isOfType(name, value));
}

function isOfType(name: TypeName, value: unknown): boolean {
  if (name === "string" || name === "boolean") return typeof value === name;
  if (name === "integer") return Number.isInteger(value);
  if (name === "object") return isJsonObject(value as JsonValue);
  if (name === "array") return Array.isArray(value);
  if (name === "number") return Number.isFinite(value);
  return value === null;
}

function typesOf(type: Schema["type"] = []): readonly TypeName[] {
  return typeof type === "string" ? [type] : (type as readonly TypeName[]);
}

/** Converts a value of the server to JSON. Leaves out properties that are not in the schema, and a forbidden null. */
export function encode(schema: Schema, value: unknown): JsonValue {
  const read = resolved(schema);
  const { anyOf, items, properties, additionalProperties } = read;
  const leaf = leafOf(read);
  if (leaf === "timestamp") return serializeTimestamp(value as Micros);
  if (leaf === "duration") return microsToSeconds(value as Micros);
  if (anyOf !== undefined) {
    const member = anyOf.find((each) => isOfKind(each, value, DOMAIN));
    return member === undefined ? (value as JsonValue) : encode(member, value);
  }
  if (Array.isArray(value) && items !== undefined) return value.map((item) => encode(items, item));
  if (typeof value !== "object" || value === null || (properties ?? additionalProperties) === undefined) {
    return value as JsonValue;
  }
  const given = value as Fields;
  if (properties === undefined) {
    const member = additionalProperties as Schema;
    return Object.fromEntries(Object.entries(given).map(([name, each]) => [name, encode(member, each)]));
  }
  const encoded: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(properties)) {
    const own = given[camel(name)];
    if (own !== undefined && (own !== null || isOfKind(property, null, DOMAIN))) encoded[name] = encode(property, own);
  }
  return encoded;
}

const PIECE_ITEMS = 64;

/** The JSON of `encode` in pieces: long lists are encoded some items at a time. */
export function* encodePieces(schema: Schema, value: unknown): Generator<string> {
  const { items, properties, additionalProperties, anyOf } = resolved(schema);
  if (Array.isArray(value) && items !== undefined && value.length > PIECE_ITEMS) {
    for (let from = 0; from < value.length; from += PIECE_ITEMS) {
      const part = value.slice(from, from + PIECE_ITEMS).map((item) => JSON.stringify(encode(items, item)));
      yield `${from === 0 ? "[" : ","}${part.join()}`;
    }
    yield "]";
  } else if (isJsonObject(value as JsonValue) && anyOf === undefined && (properties ?? additionalProperties)) {
    yield* encodeMembers(resolved(schema), value as Fields);
  } else yield JSON.stringify(encode(schema, value));
}

function* encodeMembers({ properties, additionalProperties }: Schema, given: Fields): Generator<string> {
  let before = "{";
  for (const name of Object.keys(properties ?? given)) {
    const property = properties?.[name] ?? (additionalProperties as Schema);
    const own = given[properties === undefined ? name : camel(name)];
    if (own === undefined || (own === null && properties !== undefined && !isOfKind(property, null, DOMAIN))) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* encodePieces(property, own);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

/** The form inside the server, to find the member of a union. */
const DOMAIN: Source = { ...WIRE, timestamp: numberIn, duration: numberIn };

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Schemas whose values differ between interfaces. */
const LEAVES: Readonly<Record<string, "timestamp" | "duration">> = {
  Timestamp: "timestamp",
  TimestampInput: "timestamp",
  Seconds: "duration",
  Duration: "duration",
};

function leafOf({ $ref }: Schema): "timestamp" | "duration" | undefined {
  return $ref === undefined ? undefined : LEAVES[$ref];
}

export function hasProperty(schema: Schema, name: string): boolean {
  const { properties, anyOf = [] } = resolved(schema);
  return properties?.[name] !== undefined || anyOf.some((member) => hasProperty(member, name));
}

function resolved(schema: Schema): Schema {
  const { $ref } = schema;
  if ($ref === undefined || LEAVES[$ref] !== undefined) return schema;
  return resolved(SCHEMA_LIST[$ref as SchemaName]);
}

const camelNames: Map<string, string> = new Map();

/** `last_used` becomes `lastUsed`. */
export function camel(name: string): string {
  let found = camelNames.get(name);
  if (found === undefined) {
    found = name.replace(/_(\w)/g, (_, first: string) => first.toUpperCase());
    camelNames.set(name, found);
  }
  return found;
}
