/** A request before it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** You may change them. They contain the API key. */
  readonly headers: Headers;
}

/** The head of a response. */
export interface ReceivedResponse {
  readonly method: string;
  readonly url: string;
  /** 0 for a redirect that a browser hides. */
  readonly status: number;
  readonly headers: Headers;
}

/** Your functions that a client calls for each request. Their errors end the call with `HOOK_FAILED`. */
export interface ClientHooks {
  /** Called before each request and each retry. @default none */
  readonly onRequest?: ((request: SentRequest) => void | Promise<void>) | undefined;
  /** Called with each response, including errors, before its body is read. @default none */
  readonly onResponse?: ((response: ReceivedResponse) => void | Promise<void>) | undefined;
}
