import type { Logger } from "../logger.js";
import { createPageServer, type OpenPage, openBuilt, type PageSettings } from "./pages.js";
import type { HostRequest, HttpResponse, RequestContext } from "./request-context.js";
import type { Route } from "./route.js";

/** A request for the page of the API browser. */
export interface ApiBrowserRequest extends HostRequest {
  /** `GET` or `HEAD`. The body of a response to `HEAD` is dropped. */
  readonly method: string;
  /** A header by its name, in any case; `undefined` when it is missing. */
  header(name: string): string | undefined;
}

/** Creates the embedder's own page for `/api/`. `openapi.json` is in the same folder. */
export type ApiBrowserPage = (request: ApiBrowserRequest) => Response | Promise<Response>;

const PATHS = { page: "/api", asset: "/api/assets/:asset" } as const;

/**
 * The routes of the API browser. Like a login page, it is served without the key: the user enters the key there, and
 * the page shows only public contents of the package.
 *
 * @param setting `false` for none, or a function that creates the embedder's own page
 * @param settings of the package's own page
 * @param open opens the files on the first request
 */
export function apiBrowserRoutes(
  setting: boolean | ApiBrowserPage,
  logger: Logger,
  settings: PageSettings = {},
  open: OpenPage = openBuilt,
): readonly Route[] {
  if (setting === false) return [];
  const own = createPageServer("api-browser", { title: "the API browser", logger, open, settings });
  const page: Route = {
    method: "GET",
    path: PATHS.page,
    summary: "Show the API browser",
    open: true,
    async handle(request) {
      return setting === true ? own.page(request) : ownResponse(await setting(requestOf(request)));
    },
  };
  if (setting !== true) return [page];
  const asset: Route = {
    method: "GET",
    path: PATHS.asset,
    summary: "Get a file of the API browser",
    open: true,
    handle: (request, { params }) => own.asset(request, params.get("asset") ?? ""),
  };
  return [page, asset];
}

function requestOf(request: RequestContext): ApiBrowserRequest {
  const { host, method } = request;
  return { ...host, method, header: (name) => request.header(name.toLowerCase()) };
}

/** Checks the shape: the embedder may use another `Response` class. */
async function ownResponse(response: Response): Promise<HttpResponse> {
  if (typeof response?.status !== "number" || typeof response.arrayBuffer !== "function") {
    throw new TypeError(`apiBrowser must return a Response, got ${typeof response}`);
  }
  const { status } = response;
  // `Response.error()` has status 0, and 1xx does not end a request.
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError(`the status of apiBrowser's Response must be 200 to 599, got ${status}`);
  }
  const headers = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie?.() ?? [];
  if (cookies.length > 0) delete headers["set-cookie"];
  const body = response.body === null ? null : [new Uint8Array(await response.arrayBuffer())];
  return { status, headers, body, ...(cookies.length > 0 && { cookies }) };
}
