import { ActivityError, messageOf } from "../errors.js";
import type { Logger } from "../logger.js";
import { errorResponse } from "./errors.js";
import type { Respond } from "./pipeline.js";
import { contextIn, type HttpResponse, type RequestOptions } from "./request-context.js";
import { contextOfWeb, toWebResponse } from "./web-request.js";

/**
 * The input of `server.fetch`: everything that the global `fetch` takes, paths such as `/api/0/info`, and the objects
 * that frameworks pass to a route, which contain the request in `request` (events of SvelteKit, contexts of Astro).
 */
export type FetchInput = Request | URL | string | { readonly request: Request };

/** Responds to a request, in any of these forms. */
export interface ServerFetch<Context = never> {
  /** The form that frameworks call. Of further arguments, only `context` and the members of a `RequestInit` apply. */
  (
    request: Request | { readonly request: Request },
    options?: RequestOptions<Context> | null,
    ...rest: readonly unknown[]
  ): Promise<Response>;
  (input: FetchInput, init?: RequestInit & RequestOptions<Context>): Promise<Response>;
}

/** Never rejects: an invalid request gets 400. @param respond with the context of the embedder */
export function createFetch(
  respond: (request: Request, context: unknown) => Response | Promise<Response>,
  logger: Logger,
): ServerFetch<unknown> {
  return async (input: FetchInput, init?: unknown) => {
    try {
      return globalResponse(await respond(requestOf(input, init), contextIn(init)));
    } catch (thrown) {
      return plainResponse(errorResponse(thrown, logger));
    }
  };
}

/** Responds to calls from inside the process, which need no h3: it takes a command as long to load as the rest. */
export function createFetchWithin(respond: Respond, logger: Logger): ServerFetch<unknown> {
  return createFetch(async (web, context) => {
    const { method } = web;
    const url = new URL(web.url);
    const path = url.pathname;
    const request = contextOfWeb(web, url, { takesEncoded: false, method, path, search: url.search.slice(1), context });
    try {
      return await toWebResponse(Response, await respond(request), method, () => request.onCanceled?.());
    } catch (thrown) {
      return toWebResponse(Response, errorResponse(thrown, logger), method);
    }
  }, logger);
}

/** A path refers to this server, whatever its name. */
const HERE = "http://localhost";

/** The members of a second argument that change the request. Frameworks pass objects with other members. */
const INIT_MEMBERS = ["method", "headers", "body", "signal"];

/** @throws ActivityError `INVALID_INPUT` for an invalid request */
function requestOf(input: FetchInput, init: unknown): Request {
  const given = typeof init === "object" && init !== null ? init : undefined;
  // Checks the shape: frameworks have substitutes, as do programs that replace the global class.
  if (isRequest(input) && !INIT_MEMBERS.some((name) => given !== undefined && name in given)) return input;
  // The other members of such an event belong to the framework.
  if (hasRequest(input)) return input.request;
  try {
    return new Request(typeof input === "string" && input.startsWith("/") ? HERE + input : input, given);
  } catch (cause) {
    throw new ActivityError("INVALID_INPUT", `fetch() needs a request: ${messageOf(cause)}`, { cause });
  }
}

function hasRequest(input: unknown): input is { readonly request: Request } {
  return typeof input === "object" && input !== null && "request" in input && isRequest(input.request);
}

/** Events of frameworks have `url` and `headers` as well, but their `url` is a `URL`. */
function isRequest(input: unknown): input is Request {
  if (typeof input !== "object" || input === null || !("url" in input) || !("headers" in input)) return false;
  const { url, headers } = input;
  if (typeof url !== "string") return false;
  return typeof headers === "object" && headers !== null && "get" in headers;
}

/** Embedders recognize a response by the global class, which another server of the process may have replaced. */
function globalResponse(response: Response): Response {
  if (response instanceof Response) return response;
  const { body, status, statusText, headers } = response as Response;
  return new Response(body, { status, statusText, headers });
}

/** A response for the global class. */
export function plainResponse({ status, headers, body }: HttpResponse): Response {
  return new Response(body as string, { status, headers });
}
