/** A request that is about to be sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** May be changed. They contain the API key. */
  readonly headers: Headers;
}

/** The head of a response that has arrived. */
export interface ReceivedResponse {
  /** Of the request. */
  readonly method: string;
  /** Of the request. */
  readonly url: string;
  /** 0 for a redirect that a browser hides. */
  readonly status: number;
  readonly headers: Headers;
}

/** Functions of the caller's that a client calls on the way; what they throw ends the call with `HOOK_FAILED`. */
export interface ClientHooks {
  /** Called before each request, each further try included. @default none */
  readonly onRequest?: ((request: SentRequest) => void | Promise<void>) | undefined;
  /** Called with each response, also with those that are errors, before its body is read. @default none */
  readonly onResponse?: ((response: ReceivedResponse) => void | Promise<void>) | undefined;
}
