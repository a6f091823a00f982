import type { JsonObject, JsonValue } from "../domain/json.js";

/** Names of JSON Schema for what JSON knows. */
export type TypeName = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/**
 * A schema of JSON Schema 2020-12, as far as this interface needs it. Schemas are written down as literals, so that the
 * types of the values follow from them (`TypeOf`).
 */
export interface Schema {
  /** `#/components/schemas/<name>`. */
  readonly $ref?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly JsonValue[];
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Names of properties that must be there. */
  readonly required?: readonly string[];
  /** What other properties may hold; anything where it is left out. */
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
}

/**
 * The values that a schema lets pass.
 *
 * @typeParam Named the schemas that references name
 */
export type TypeOf<S, Named> = S extends {
  readonly $ref: `#/components/schemas/${infer Name extends keyof Named & string}`;
}
  ? TypeOf<Named[Name], Named>
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Member)[] }
      ? OneOf<Member, Named>
      : S extends { readonly type: readonly (infer Name)[] }
        ? OfType<Name, S, Named>
        : S extends { readonly type: infer Name }
          ? OfType<Name, S, Named>
          : JsonValue;

type OneOf<Member, Named> = Member extends unknown ? TypeOf<Member, Named> : never;

type OfType<Name, S, Named> = Name extends "object"
  ? ObjectOf<S, Named>
  : Name extends "array"
    ? S extends { readonly items: infer Item }
      ? readonly TypeOf<Item, Named>[]
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

type ObjectOf<S, Named> = S extends { readonly properties: infer Fields }
  ? Flat<
      { readonly [Name in keyof Fields as Name extends Required<S> ? Name : never]: TypeOf<Fields[Name], Named> } & {
        readonly [Name in keyof Fields as Name extends Required<S> ? never : Name]?: TypeOf<Fields[Name], Named>;
      }
    >
  : S extends { readonly additionalProperties: infer Member }
    ? { readonly [key: string]: TypeOf<Member, Named> }
    : JsonObject;

type Required<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** Written out, for messages of the compiler. */
type Flat<T> = { [Name in keyof T]: T[Name] };
