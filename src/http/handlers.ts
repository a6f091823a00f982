import type { ServerFetch } from "./fetch.js";

/** What frameworks call a route with: a `Request`, or an object with one in `request`. */
export type RouteInput = Request | { readonly request: Request };

/** A route as frameworks call it, with whatever else they pass. */
export type RouteHandler<Input extends RouteInput = RouteInput> = (
  request: Input,
  ...rest: readonly unknown[]
) => Promise<Response>;

/** What the file of a route exports: a handler for each method that the server has. */
export interface RouteHandlers<Input extends RouteInput = RouteInput> {
  readonly GET: RouteHandler<Input>;
  readonly POST: RouteHandler<Input>;
  readonly PUT: RouteHandler<Input>;
  readonly DELETE: RouteHandler<Input>;
  readonly HEAD: RouteHandler<Input>;
  readonly OPTIONS: RouteHandler<Input>;
}

/** How `handlers` finds what your app passes with a request. */
export interface ContextOptions<Input extends RouteInput, Context> {
  /** Gets what the framework calls the route with. What it throws reaches the framework, such as a redirect. */
  readonly context: (input: Input) => Context | undefined | Promise<Context | undefined>;
}

/**
 * The routes of a server for frameworks whose routes are files: Next, SvelteKit, Astro. Such a framework leaves its
 * prefix on paths, so the server needs `basePath`. What a framework passes behind the request does not count.
 *
 * @example export const { GET, POST, PUT, DELETE, HEAD, OPTIONS } = handlers(server);
 * @example handlers(server, { context: (event: RequestEvent) => event.locals.user });
 */
export function handlers(server: { readonly fetch: ServerFetch }): RouteHandlers;
export function handlers<Context, Input extends RouteInput = Request>(
  server: { readonly fetch: ServerFetch<Context> },
  options: ContextOptions<Input, Context>,
): RouteHandlers<Input>;
export function handlers(
  server: { readonly fetch: ServerFetch },
  options?: ContextOptions<RouteInput, unknown>,
): RouteHandlers {
  // The overloads have compared the types of the two contexts.
  const { fetch } = server as { readonly fetch: ServerFetch<unknown> };
  const handle: RouteHandler =
    options === undefined
      ? (input) => fetch(input)
      : async (input) => fetch(input, { context: await options.context(input) });
  return { GET: handle, POST: handle, PUT: handle, DELETE: handle, HEAD: handle, OPTIONS: handle };
}
