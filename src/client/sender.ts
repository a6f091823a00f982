import type { AnswerOf, OperationId, Operations, PathOf, QueryOf } from "../api/operations.js";
import { serializeJson } from "./serializing.js";
import type { ClientRequest, ClientResponse } from "./transport.js";

/** What the methods are made of; the compiler holds each call to the route table. */
export interface Sender {
  /** Sends a request. @param shape of the value of the response (validate.ts) */
  call<Given extends Route, Value = AnswerOf<IdAt<Given>>>(
    route: Given,
    shape: string,
    request: RequestAt<Given>,
  ): Promise<ClientResponse<Value>>;
  /**
   * Sends a request.
   *
   * @param beginning what the text must begin with @default an object of JSON
   * @returns the text of the response while it arrives
   */
  text<Given extends Route>(route: Given, request: RequestAt<Given>, beginning?: RegExp): AsyncIterable<string>;
}

/** Method and path of an operation, as the route table has them. */
type Route = Operations[OperationId]["route"];

/** The name of the operation that a route leads to. */
type IdAt<Given extends Route> = {
  [Id in OperationId]: Operations[Id] extends { readonly route: Given } ? Id : never;
}[OperationId];

/** What a request to a route contains, by the table; instants may be `Date`s, and parameters may be left open. */
type RequestAt<Given extends Route> = Omit<ClientRequest, "params" | "query"> &
  Params<PathOf<IdAt<Given>>> & { readonly query?: Open<QueryOf<IdAt<Given>>> };

type Params<Path> = keyof Path extends never ? unknown : { readonly params: Path };

type Open<Query> = { readonly [Name in keyof Query]: Query[Name] | Date | undefined };

/** Serializes later, where a value that JSON cannot hold is refused. */
export function serializedLater(value: unknown): () => string {
  return () => serializeJson(value);
}
