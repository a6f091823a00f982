import type { ServerFetch } from "./fetch.js";

/** A route as frameworks call it, with a `Request` or with what holds one in `request`, and whatever else they pass. */
export type RouteHandler = (
  request: Request | { readonly request: Request },
  ...rest: readonly unknown[]
) => Promise<Response>;

/** What the file of a route exports: a handler for each method that the server has. */
export interface RouteHandlers {
  readonly GET: RouteHandler;
  readonly POST: RouteHandler;
  readonly PUT: RouteHandler;
  readonly DELETE: RouteHandler;
  readonly HEAD: RouteHandler;
  readonly OPTIONS: RouteHandler;
}

/**
 * The routes of a server for frameworks whose routes are files: Next, SvelteKit, Astro. Such a framework leaves its
 * prefix on paths, so the server needs `basePath`. What a framework passes behind the request does not count.
 *
 * @example export const { GET, POST, PUT, DELETE, HEAD, OPTIONS } = handlers(server);
 */
export function handlers(server: { readonly fetch: ServerFetch }): RouteHandlers {
  const handle: RouteHandler = (request) => server.fetch(request);
  return { GET: handle, POST: handle, PUT: handle, DELETE: handle, HEAD: handle, OPTIONS: handle };
}
