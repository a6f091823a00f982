import type { AnswerOf, OperationId, Operations, PathOf, QueryOf } from "../api/operations.js";
import type { JsonValue } from "../domain/json.js";
import type { ClientRequest } from "./transport.js";

/** Method and path of an operation, as the route table has them. */
export type Route = Operations[OperationId]["route"];

/** The name of the operation that a route leads to. */
export type IdAt<Given extends Route> = {
  [Id in OperationId]: Operations[Id] extends { readonly route: Given } ? Id : never;
}[OperationId];

/** Schema of the response, by the table: every member that it must have, with its kind. */
export type SchemaAt<Given extends Route> = SchemaOf<AnswerOf<IdAt<Given>>>;

type SchemaOf<Value> = [JsonValue] extends [Value]
  ? "JSON"
  : Value extends readonly (infer Member)[]
    ? readonly [SchemaOf<Member>]
    : Value extends object
      ? SchemaOfObject<Value>
      : KindOf<Value>;

type SchemaOfObject<Value extends object> = Value extends { readonly [key: string]: infer Member }
  ? string extends keyof Value
    ? [JsonValue] extends [Member]
      ? "an object"
      : { readonly "*": SchemaOf<Member> }
    : MembersOf<Value>
  : MembersOf<Value>;

/** Of the members themselves no more than the kind. */
type MembersOf<Value> = {
  readonly [Name in keyof Value as Value extends Record<Name, Value[Name]> ? Name : never]: KindOf<Value[Name]>;
};

type KindOf<Value> = [Value] extends [string]
  ? "a string"
  : [Value] extends [number]
    ? "a number" | "an integer"
    : [number] extends [Exclude<Value, null>]
      ? "an integer or null"
      : [Value] extends [boolean]
        ? "a boolean"
        : [Value] extends [readonly unknown[]]
          ? "a list"
          : [Value] extends [object]
            ? "an object"
            : "JSON";

/** What a request to a route contains, by the table; instants may be `Date`s, and parameters may be left open. */
export type RequestAt<Given extends Route> = Pick<ClientRequest, "body" | "signal" | "timeoutMillis" | "retries"> &
  Params<PathOf<IdAt<Given>>> & { readonly query?: Open<QueryOf<IdAt<Given>>> };

type Params<Path> = keyof Path extends never ? unknown : { readonly params: Path };

type Open<Query> = { readonly [Name in keyof Query]: Query[Name] | Date | undefined };
