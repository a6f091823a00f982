import type { JsonObject, JsonValue } from "../domain/json.js";
import type { KeyScope } from "../domain/key-scope.js";
import type { DurationInput, DurationMicros, Micros, TimeInput, TimestampMicros } from "../domain/time.js";

export type TypeName = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** A schema of JSON Schema 2020-12, limited to the keywords that this API needs. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly JsonValue[];
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Schema of other properties. Default: any, which parsers ignore. `false`: parsers reject others. */
  readonly additionalProperties?: Schema | false;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** Conditions that the codec leaves to the function that parses the value. */
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
}

/**
 * The short form of a schema: a literal, so that the types of the values follow from it (`TypeOf`). A schema with
 * `properties` is an object, and all of them are required unless `required` is set.
 */
export interface SchemaDeclaration extends Schema {
  /** A named schema whose properties it includes. */
  readonly extends?: string;
}

/** How an interface represents names, timestamps and durations. */
export interface Form {
  readonly timestamp: unknown;
  /** A timestamp in a request. */
  readonly timestampInput: unknown;
  readonly seconds: unknown;
  readonly isCamel: boolean;
  /** Whether optional properties with a default are always present. */
  readonly isFilled: boolean;
  /** Another value that means that an optional property is absent. */
  readonly absent: unknown;
  /** JSON without a schema: any value, and objects. */
  readonly json: unknown;
  readonly jsonObject: object;
}

/** JSON, as the API sends and receives it. */
export interface Wire extends Form {
  readonly timestamp: string;
  readonly timestampInput: string;
  readonly seconds: number;
  readonly isCamel: false;
  readonly isFilled: false;
  readonly absent: never;
  readonly json: JsonValue;
  readonly jsonObject: JsonObject;
}

/** Input of a client, which converts it to JSON. */
export interface Sent extends Omit<Wire, "timestampInput" | "absent"> {
  readonly timestampInput: Date | string;
  readonly absent: undefined;
}

/** Values inside the server. */
export interface Domain extends Form {
  readonly timestamp: Micros;
  readonly timestampInput: Micros;
  readonly seconds: Micros;
  readonly isCamel: true;
  readonly isFilled: true;
  readonly absent: null | undefined;
  readonly json: JsonValue;
  readonly jsonObject: JsonObject;
}

/** Values that a server returns to an app in the same process: like `Domain`, with units in the types. */
export interface Output extends Omit<Domain, "timestamp" | "seconds"> {
  readonly timestamp: TimestampMicros;
  readonly seconds: DurationMicros;
}

/** Values that an app passes to a server in the same process. */
export interface Input extends Form {
  readonly timestamp: TimeInput;
  readonly timestampInput: TimeInput;
  readonly seconds: DurationInput;
  readonly isCamel: true;
  readonly isFilled: false;
  readonly absent: undefined;
  readonly json: unknown;
  readonly jsonObject: object;
}

/** The valid values of a schema, in one of their forms. @typeParam Named the schemas that references name */
export type TypeOf<S, Named, F extends Form = Wire> = S extends {
  readonly $ref: infer Name extends keyof Named & string;
}
  ? Name extends keyof Leaves<F>
    ? Leaves<F>[Name]
    : TypeOf<Named[Name], Named, F>
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly properties: unknown }
      ? ObjectOf<S, Named, F>
      : S extends { readonly anyOf: readonly (infer Member)[] } | { readonly oneOf: readonly (infer Member)[] }
        ? OneOf<Member, Named, F>
        : S extends { readonly allOf: readonly [infer Member] }
          ? TypeOf<Member, Named, F>
          : S extends { readonly type: readonly (infer Name)[] }
            ? OfType<Name, S, Named, F>
            : S extends { readonly type: infer Name }
              ? OfType<Name, S, Named, F>
              : F["json"];

/** Schemas whose values differ between forms, or have a more exact type than their schema. */
interface Leaves<F extends Form> {
  readonly Timestamp: F["timestamp"];
  readonly TimestampInput: F["timestampInput"];
  readonly Seconds: F["seconds"];
  readonly Duration: F["seconds"];
  readonly Scope: KeyScope;
}

type OneOf<Member, Named, F extends Form> = Member extends unknown ? TypeOf<Member, Named, F> : never;

type OfType<Name, S, Named, F extends Form> = Name extends "object"
  ? S extends { readonly additionalProperties: infer Member }
    ? { readonly [key: string]: TypeOf<Member, Named, F> }
    : F["jsonObject"]
  : Name extends "array"
    ? S extends { readonly items: infer Item }
      ? readonly TypeOf<Item, Named, F>[]
      : readonly JsonValue[]
    : Name extends keyof Scalars
      ? Scalars[Name]
      : never;

interface Scalars {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type ObjectOf<S, Named, F extends Form, Fields = FieldsOf<S, Named>> = Flat<
  {
    readonly [Name in keyof Fields as Name extends Present<S, Named, F> ? Cased<Name, F> : never]: TypeOf<
      Fields[Name],
      Named,
      F
    >;
  } & {
    readonly [Name in keyof Fields as Name extends Present<S, Named, F> ? never : Cased<Name, F>]?:
      | TypeOf<Fields[Name], Named, F>
      | F["absent"];
  }
>;

type FieldsOf<S, Named> = S extends { readonly properties: infer Own }
  ? S extends { readonly extends: infer Base extends keyof Named }
    ? Omit<FieldsOf<Named[Base], Named>, keyof Own> & Own
    : Own
  : never;

/** Names of properties that are always present. */
type Present<S, Named, F extends Form> =
  | RequiredOf<S, Named>
  | (F["isFilled"] extends true ? Filled<FieldsOf<S, Named>, Named> : never);

type RequiredOf<S, Named> =
  | (S extends { readonly required: readonly (infer Name)[] }
      ? Name
      : S extends { readonly properties: infer Own }
        ? keyof Own
        : never)
  | (S extends { readonly extends: infer Base extends keyof Named } ? RequiredOf<Named[Base], Named> : never);

type Filled<Fields, Named> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly default: JsonValue }
    ? Name
    : Fields[Name] extends { readonly $ref: infer Ref extends keyof Named & string }
      ? Named[Ref] extends { readonly default: JsonValue }
        ? Name
        : never
      : never;
}[keyof Fields];

type Cased<Name, F extends Form> = F["isCamel"] extends true ? Camel<Name> : Name;

/** `last_used` becomes `lastUsed`. */
type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail> & string>}` : Name;

/** Expands a type, for readable compiler messages. */
type Flat<T> = { [Name in keyof T]: T[Name] };
