import type { ServerFetch } from "./fetch.js";

/** The argument that frameworks pass to a route: a `Request`, or an object with one in `request`. */
export type RouteInput = Request | { readonly request: Request };

/** A route as frameworks call it; further arguments are allowed. */
export type RouteHandler<Input extends RouteInput = RouteInput> = (
  request: Input,
  ...rest: readonly unknown[]
) => Promise<Response>;

/** The exports of a route file: a handler for each method of the server. */
export interface RouteHandlers<Input extends RouteInput = RouteInput> {
  readonly GET: RouteHandler<Input>;
  readonly POST: RouteHandler<Input>;
  readonly PUT: RouteHandler<Input>;
  readonly DELETE: RouteHandler<Input>;
  readonly HEAD: RouteHandler<Input>;
  readonly OPTIONS: RouteHandler<Input>;
}

/** How `handlers` reads your app's context for a request. */
export interface ContextOptions<Input extends RouteInput, Context> {
  /**
   * Receives the first argument that the framework passes to the route. Its errors reach the framework, for example a
   * redirect.
   */
  readonly context: (input: Input) => Context | undefined | Promise<Context | undefined>;
}

/**
 * Creates the routes for frameworks with file-based routes: Next, SvelteKit, Astro. Such a framework keeps its prefix
 * in paths, so set `basePath`. Further arguments of the framework are ignored.
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
