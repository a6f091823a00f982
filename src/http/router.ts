import { addRoute, createRouter as createTree, findRoute } from "rou3";
import { memoize } from "../util/memoize.js";
import type { Resource } from "./route.js";

/** Where a request goes: a resource of the API, an unknown path of the API, or a path beside the API. */
export type Target = Resource | "unknown" | "beside";

/** What a path leads to. */
export interface Found {
  readonly target: Target;
  /** The path as it is below the place where the server is mounted. */
  readonly path: string;
  /** Path parameters, still percent-encoded. */
  readonly rawParams: Readonly<Record<string, string>>;
}

/**
 * Finds what a path leads to.
 *
 * @param path as a URL parser gives it: dot segments resolved, still percent-encoded
 * @param isAtRoot whether the path is known to begin at the server itself, so that nothing may be cut but what was told
 */
export type Router = (path: string, isAtRoot?: boolean) => Found;

const API = "/api/";
const VERSIONED_API = "/api/0/";
const NO_PARAMS: Found["rawParams"] = {};

/**
 * Prepares a router. A host that hands over requests with its prefix still on them is understood without being told
 * the prefix: it is what stands before the API in the path. Where there is no host this would open ways around what a
 * proxy guards by path, so nothing is cut there.
 *
 * @param basePath public prefix without a trailing slash; `""` = nothing is ever cut, `undefined` = not known
 */
export function createRouter(resources: Iterable<Resource>, basePath: string | undefined): Router {
  const tree = createTree<Resource>();
  for (const resource of resources) addRoute(tree, "", resource.path, resource);

  function belowMount(path: string, isAtRoot: boolean): string {
    const below = basePath === undefined ? undefined : cut(path, basePath);
    if (below?.startsWith(API)) return below;
    if (path.startsWith(VERSIONED_API)) return path;
    if (isAtRoot || basePath === "") return below ?? path;
    const inside = path.indexOf(VERSIONED_API);
    if (inside > 0) return path.slice(inside);
    if (below !== undefined) return below;
    // The pages of the API have no version; a host's own prefix may have the same name.
    const page = `${path}/`.lastIndexOf(API);
    return page >= 0 ? path.slice(page) : path;
  }

  function find(given: string, isAtRoot: boolean): Found {
    const path = belowMount(normalized(given), isAtRoot);
    // `*`, for example, which asks for the server as a whole: the tree would take it for the root.
    const found = path.startsWith("/") ? findRoute(tree, "", path) : undefined;
    if (found !== undefined) return { target: found.data, path, rawParams: found.params ?? NO_PARAMS };
    return { target: `${path}/`.startsWith(API) ? "unknown" : "beside", path, rawParams: NO_PARAMS };
  }

  const found = memoize((given) => find(given, false));
  const foundAtRoot = memoize((given) => find(given, true));
  return (given, isAtRoot = false) => (isAtRoot ? foundAtRoot : found)(given);
}

/** Escapes of letters, digits and `-._~`, which mean the same without them (RFC 3986, 6.2.2.2). */
const NEEDLESS_ESCAPE = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** One spelling for all transports. Doubled slashes count as one (docs/compatibility.md#requests-and-responses). */
function normalized(path: string): string {
  const folded = path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
  return folded.includes("%") ? folded.replace(NEEDLESS_ESCAPE, (sign) => decodeURIComponent(sign)) : folded;
}

/** The path below a prefix; `undefined` when it does not begin with it. */
function cut(path: string, prefix: string): string | undefined {
  if (!`${path}/`.startsWith(`${prefix}/`)) return undefined;
  return path.slice(prefix.length) || "/";
}
