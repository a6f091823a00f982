import type { OperationId, Operations, PathOf, QueryOf } from "../api/operations.js";
import type { ClientRequest } from "./transport.js";

/** Method and path of an operation, as the route table has them. */
export type Route = Operations[OperationId]["route"];

/** The name of the operation that a route leads to. */
export type IdAt<Given extends Route> = {
  [Id in OperationId]: Operations[Id] extends { readonly route: Given } ? Id : never;
}[OperationId];

/** What a request to a route contains, by the table; instants may be `Date`s, and parameters may be left open. */
export type RequestAt<Given extends Route> = Pick<ClientRequest, "body" | "signal" | "timeoutMillis" | "retries"> &
  Params<PathOf<IdAt<Given>>> & { readonly query?: Open<QueryOf<IdAt<Given>>> };

type Params<Path> = keyof Path extends never ? unknown : { readonly params: Path };

type Open<Query> = { readonly [Name in keyof Query]: Query[Name] | Date | undefined };
