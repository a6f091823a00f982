import { addRoute, createRouter as createTree, findRoute, type RouterContext } from "rou3";
import { ActivityError } from "../errors.js";
import { memoize } from "../util/memoize.js";
import type { Resource } from "./route.js";

/** The target of a request: a resource of the API, an unknown path of the API, or a path outside the API. */
export type Target = Resource | "unknown" | "beside";

/** The match of a path. A cached path returns the same object. */
export class Found {
  readonly target: Target;
  /** The target, if it belongs to the API. */
  readonly resource: Resource | undefined;
  /** The path below the mount point. */
  readonly path: string;
  /** Path parameters, still percent-encoded. */
  readonly rawParams: Readonly<Record<string, string>>;
  /** The message for the client if nothing matches. */
  readonly missing: string;
  #params: ReadonlyMap<string, string> | undefined;

  constructor(target: Target, { path, rawParams, missing }: Pick<Found, "path" | "rawParams" | "missing">) {
    this.target = target;
    this.resource = typeof target === "string" ? undefined : target;
    this.path = path;
    this.rawParams = rawParams;
    this.missing = missing;
  }

  /** Path parameters, each segment decoded once. @throws ActivityError `INVALID_INPUT` for one that is not UTF-8 */
  get params(): ReadonlyMap<string, string> {
    this.#params ??= decoded(this.rawParams);
    return this.#params;
  }
}

function decoded(raw: Found["rawParams"]): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries(raw).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch (cause) {
    throw new ActivityError("INVALID_INPUT", "the path is not UTF-8 after percent-decoding", { cause });
  }
}

/** Matches a path, as sent or as returned by a URL parser, with dot segments resolved. */
export type Router = (path: string) => Found;

const API = "/api/";
const VERSIONED_API = "/api/0/";
const NO_PARAMS: Found["rawParams"] = {};

const MISSING = "there is nothing at this path";
const MISSING_WITHOUT_BASE = `${MISSING}; if the embedding program leaves a prefix on paths, set basePath`;

/** Trees over the indexes of a list of paths, by the paths. The servers of a process share the same few lists. */
const trees: Map<string, RouterContext<number>> = new Map();

function buildRouter(paths: readonly string[]): RouterContext<number> {
  const key = paths.join("\n");
  let tree = trees.get(key);
  if (tree === undefined) {
    tree = createTree<number>();
    for (const [at, path] of paths.entries()) addRoute(tree, "", path, at);
    trees.set(key, tree);
  }
  return tree;
}

/**
 * Prepares a router.
 *
 * @param groups lists of resources; the first with a match serves the path
 * @param basePath prefix to cut off if a path starts with it, without a trailing slash; `""` for none, `undefined` if
 *   it was not set
 */
export function createRouter(groups: readonly (readonly Resource[])[], basePath: string | undefined): Router {
  const searched = groups.map((resources) => ({ resources, tree: buildRouter(resources.map(({ path }) => path)) }));
  const base = normalized(basePath ?? "");

  function belowMount(path: string): string | undefined {
    if (!`${path}/`.startsWith(`${base}/`)) return undefined;
    const below = path.slice(base.length) || "/";
    // The embedder has cut a prefix that looks like the API itself.
    return path.startsWith(VERSIONED_API) && !below.startsWith(API) ? undefined : below;
  }

  function find(path: string): (Pick<Found, "rawParams"> & { readonly resource: Resource }) | undefined {
    for (const { resources, tree } of searched) {
      const found = findRoute(tree, "", path);
      if (found !== undefined) {
        return { resource: resources[found.data] as Resource, rawParams: found.params ?? NO_PARAMS };
      }
    }
    return undefined;
  }

  return memoize((given) => {
    const whole = normalized(given);
    const below = belowMount(whole);
    const path = below ?? whole;
    // For example `*`, which means the whole server: the tree would treat it as the root.
    const found = path.startsWith("/") ? find(path) : undefined;
    const elsewhere = base === "" || below !== undefined ? MISSING : `${MISSING}; basePath is ${base}`;
    const missing = basePath === undefined ? MISSING_WITHOUT_BASE : elsewhere;
    if (found !== undefined) return new Found(found.resource, { path, rawParams: found.rawParams, missing });
    return new Found(`${path}/`.startsWith(API) ? "unknown" : "beside", { path, rawParams: NO_PARAMS, missing });
  });
}

/**
 * Escapes of letters, digits and `-._~`, which mean the same unescaped (RFC 3986, 6.2.2.2). Not after half an escape,
 * which would become a whole one.
 */
const NEEDLESS_ESCAPE = /(?<!%.?)%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/**
 * A path in one spelling for all transports. Repeated slashes become one
 * (docs/reference/compatibility.md#requests-and-responses).
 */
export function normalized(path: string): string {
  const collapsed = path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
  return collapsed.includes("%") ? collapsed.replace(NEEDLESS_ESCAPE, (sign) => decodeURIComponent(sign)) : collapsed;
}
