// Types of functions that run operations.
import type { DomainOf } from "./codec.js";
import type { AnswerName, BodyName, OperationId, Operations, ParametersIn, PathOf } from "./operations.js";
import type { QUERY_PARAMETERS } from "./parameters.js";
import type { Domain, Form, Input, Sent, TypeOf } from "./schema.js";
import type { SchemaName, Schemas } from "./schemas.js";

type MethodId = {
  [Id in OperationId]: Operations[Id] extends { readonly call: string } ? Id : never;
}[OperationId];

/** Operations whose requests are decoded and whose results are encoded by their schemas. */
export type CallId = {
  [Id in MethodId]: Operations[Id] extends { readonly raw: true } ? never : Id;
}[MethodId];

export interface ActionInput<Id extends OperationId> {
  readonly params: PathOf<Id>;
  readonly query: QueryIn<Id>;
  readonly body: BodyIn<Id>;
  /** Whether the caller has left. */
  readonly isGone: () => boolean;
}

export type Action<Id extends OperationId, Service> = (
  input: ActionInput<Id>,
  service: Service,
) => Promise<ResultOf<Id>>;

type ResultOf<Id extends OperationId> =
  AnswerName<Id> extends "Nothing"
    ? // biome-ignore lint/suspicious/noConfusingVoidType: it becomes the type of a promise
      void
    : Operations[Id] extends { readonly returns: infer Member extends string }
      ? DomainOf<AnswerName<Id>> extends { readonly [Key in Member]: infer Value }
        ? Value
        : never
      : DomainOf<AnswerName<Id>>;

export type QueryIn<Id extends OperationId> = Parameters<ParametersIn<Id, "query">, Domain>;

/** These parameters as input of a call in process. */
export type QueryInput<Names extends QueryName> = Parameters<Names, Input>;

/** These parameters as input of a client. */
export type QuerySent<Names extends QueryName> = Parameters<Names, Sent>;

/** How a client, or a server in process, represents values, and the arguments that its methods take at the end. */
export interface Side {
  readonly input: Form;
  readonly output: Form;
  readonly options: readonly unknown[];
}

/** An argument of a method: a body, or its member. */
export type Arg<Name extends SchemaName, S extends Side, Member = never> = Value<Name, S["input"], Member>;

/** The parameters of a query string in a method's arguments. */
export type QueryArg<Names extends QueryName, S extends Side> = Parameters<Names, S["input"]>;

/** The result of a method: a response, or its member. */
export type Result<Name extends SchemaName, S extends Side, Member = never> = Value<Name, S["output"], Member>;

type Value<Name extends SchemaName, F extends Form, Member> = [Member] extends [never]
  ? TypeOf<Schemas[Name], Schemas, F>
  : Schemas[Name] extends { readonly properties: { readonly [Key in Member & string]: infer Property } }
    ? TypeOf<Property, Schemas, F>
    : never;

/** An event as a result. `Data` is the type that the caller expects. */
export type EventResult<Data extends object, S extends Side> = Omit<Result<"Event", S>, "data"> & {
  readonly data: Data;
};

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
