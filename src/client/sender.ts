import type { AnswerOf } from "../api/operations.js";
import type { ClientDeleted } from "./client-types.js";
import type { IdAt, RequestAt, Route } from "./routes.js";
import { serializeJson } from "./serializing.js";

/** What the methods are made of; the compiler holds each call to the route table. */
export interface Sender {
  /** Sends a request. @returns the value of the response */
  send<Given extends Route, Value = AnswerOf<IdAt<Given>>>(
    route: Given,
    shape: string,
    request: RequestAt<Given>,
  ): Promise<Value>;
  /** Sends a request that deletes. @returns the value of the response, and what takes the deletion back */
  sendDeletion<Given extends Route, Value = AnswerOf<IdAt<Given>>>(
    route: Given,
    shape: string,
    request: RequestAt<Given>,
  ): Promise<{ readonly value: Value; readonly deleted: ClientDeleted }>;
  /** Sends a request whose response has no content. @returns its status */
  sendOnly<Given extends Route>(route: Given, request: RequestAt<Given>): Promise<number>;
  /**
   * Sends a request.
   *
   * @param beginning what the text must begin with @default an object of JSON
   * @returns the text of the response while it arrives
   */
  text<Given extends Route>(route: Given, request: RequestAt<Given>, beginning?: RegExp): AsyncIterable<string>;
}

/** Serializes later, where a value that JSON cannot hold is refused. */
export function serializedLater(value: unknown): () => string {
  return () => serializeJson(value);
}
