// Types of what carries out operations.
import type { DomainOf } from "./codec.js";
import type { AnswerName, BodyName, OperationId, Operations, ParametersIn, PathOf } from "./operations.js";
import type { QUERY_PARAMETERS } from "./parameters.js";
import type { Domain, Form, Input, Sent, TypeOf } from "./schema.js";
import type { Schemas } from "./schemas.js";

/** Operations that a method calls. */
type MethodId = {
  [Id in OperationId]: Operations[Id] extends { readonly call: string } ? Id : never;
}[OperationId];

/** Those whose requests are decoded and whose results are encoded by their schemas. */
export type CallId = {
  [Id in MethodId]: Operations[Id] extends { readonly raw: true } ? never : Id;
}[MethodId];

/** What an action gets: everything decoded. */
export interface ActionInput<Id extends OperationId> {
  readonly params: PathOf<Id>;
  readonly query: QueryIn<Id>;
  readonly body: BodyIn<Id>;
  /** Whether nobody waits for the result any more. */
  readonly isGone: () => boolean;
}

/** What carries out an operation, whichever way it is called. */
export type Action<Id extends OperationId, Service> = (
  input: ActionInput<Id>,
  service: Service,
) => Promise<ResultOf<Id>>;

/** What an action resolves with. */
type ResultOf<Id extends OperationId> =
  AnswerName<Id> extends "Nothing"
    ? // biome-ignore lint/suspicious/noConfusingVoidType: it becomes the type of a promise.
      void
    : Operations[Id] extends { readonly returns: infer Member extends string }
      ? DomainOf<AnswerName<Id>> extends { readonly [Key in Member]: infer Value }
        ? Value
        : never
      : DomainOf<AnswerName<Id>>;

/** The parameters of a query string, decoded. */
export type QueryIn<Id extends OperationId> = Parameters<ParametersIn<Id, "query">, Domain>;

/** What programs pass of these parameters. */
export type QueryInput<Names extends QueryName> = Parameters<Names, Input>;

/** What callers of the client pass of them. */
export type QuerySent<Names extends QueryName> = Parameters<Names, Sent>;

type QueryName = keyof typeof QUERY_PARAMETERS;

type Parameters<Names extends QueryName, F extends Form> = TypeOf<
  {
    readonly required: readonly [];
    readonly properties: { readonly [Name in Names]: (typeof QUERY_PARAMETERS)[Name]["schema"] };
  },
  Schemas,
  F
>;

type BodyIn<Id extends OperationId> = [BodyName<Id>] extends [never] ? undefined : DomainOf<BodyName<Id>>;
