import type { AnswerOf, OperationAt, OperationId, Operations, PathOf, QueryOf } from "../api/operations.js";
import type { JsonValue } from "../domain/json.js";
import type { Demand } from "./transport.js";

/** Method and path of an operation, as the route table has them. */
export type Route = {
  [Id in OperationId]: `${Operations[Id]["method"]} ${Operations[Id]["path"]}`;
}[OperationId];

/** The name of the operation that a route leads to. */
export type IdAt<Given extends Route> = Given extends `${infer Method} ${infer Path}`
  ? OperationAt<Method, Path>
  : never;

/** What the answer looks like, by the table: every member that it must have, with its kind. */
export type ShapeAt<Given extends Route> = ShapeOf<AnswerOf<IdAt<Given>>>;

type ShapeOf<Answer> = [JsonValue] extends [Answer]
  ? "value"
  : Answer extends readonly (infer Member)[]
    ? readonly [ShapeOf<Member>]
    : Answer extends object
      ? ShapeOfObject<Answer>
      : KindOf<Answer>;

type ShapeOfObject<Answer extends object> = Answer extends { readonly [key: string]: infer Member }
  ? string extends keyof Answer
    ? [JsonValue] extends [Member]
      ? "object"
      : { readonly "*": ShapeOf<Member> }
    : MembersOf<Answer>
  : MembersOf<Answer>;

/** Of the members themselves no more than the kind. */
type MembersOf<Answer> = {
  readonly [Name in keyof Answer as Answer extends Record<Name, Answer[Name]> ? Name : never]: KindOf<Answer[Name]>;
};

type KindOf<Value> = [Value] extends [string]
  ? "text"
  : [Value] extends [number]
    ? "number" | "integer"
    : [Value] extends [boolean]
      ? "boolean"
      : [Value] extends [readonly unknown[]]
        ? "list"
        : [Value] extends [object]
          ? "object"
          : "value";

/** What a request to a route brings along, by the table; instants may be `Date`s, and parameters may be left open. */
export type DemandAt<Given extends Route> = Pick<Demand, "body" | "signal" | "timeoutMillis"> &
  Params<PathOf<IdAt<Given>>> & { readonly query?: Open<QueryOf<IdAt<Given>>> };

type Params<Path> = keyof Path extends never ? unknown : { readonly params: Path };

type Open<Query> = { readonly [Name in keyof Query]: Query[Name] | Date | undefined };
