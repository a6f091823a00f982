import type { H3 } from "h3";
import { ActivityError, messageOf } from "../errors.js";
import type { Logger } from "../logger.js";
import { errorResponse } from "./errors.js";
import type { HttpResponse } from "./request-context.js";

/** Responds to what the global `fetch` takes, and to paths such as `/api/0/info`. */
export interface ServerFetch {
  /** As frameworks call it: of their further arguments only the members of a `RequestInit` count. */
  (request: Request, ...rest: readonly unknown[]): Promise<Response>;
  (input: Request | URL | string, init?: RequestInit): Promise<Response>;
}

/** Responds by an app. Never rejects: what is no request gets 400. */
export function createFetch(app: H3, logger: Logger): ServerFetch {
  return async (input: Request | URL | string, init?: unknown) => {
    try {
      return globalResponse(await app.fetch(requestOf(input, init)));
    } catch (thrown) {
      return plainResponse(errorResponse(thrown, logger));
    }
  };
}

/** A path is one of this server, whatever its name. */
const HERE = "http://localhost";

/** What of an argument beside a request changes that request; frameworks pass objects with other members. */
const INIT_MEMBERS = ["method", "headers", "body", "signal"];

/** @throws ActivityError `INVALID_INPUT` for what is no request */
function requestOf(input: Request | URL | string, init: unknown): Request {
  const given = typeof init === "object" && init !== null ? init : undefined;
  // By its shape: frameworks have stand-ins, and so do programs that replace the global class.
  if (isRequest(input) && !INIT_MEMBERS.some((name) => given !== undefined && name in given)) return input;
  try {
    return new Request(typeof input === "string" && input.startsWith("/") ? HERE + input : input, given);
  } catch (cause) {
    throw new ActivityError("INVALID_INPUT", `fetch() was not given a request: ${messageOf(cause)}`, { cause });
  }
}

function isRequest(input: unknown): input is Request {
  if (typeof input !== "object" || input === null || !("url" in input) || !("headers" in input)) return false;
  const { headers } = input;
  return typeof headers === "object" && headers !== null && "get" in headers;
}

/** Embedders recognize a response by the global class, which another server of the process may have replaced. */
function globalResponse(response: Response): Response {
  if (response instanceof Response) return response;
  const { body, status, statusText, headers } = response as Response;
  return new Response(body, { status, statusText, headers });
}

function plainResponse({ status, headers, body }: HttpResponse): Response {
  return new Response(body as string, { status, headers });
}
