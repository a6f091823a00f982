// Pages of the package: their files and responses.
import { ActivityError, messageOf } from "../errors.js";
import type { Logger } from "../logger.js";
import { LruCache } from "../util/lru-cache.js";
import { messageResponse } from "./errors.js";
import { encodingFor } from "./pages/encoding.js";
import { type BuiltFile, pageFilesOf } from "./pages/files.js";
import type { PageFile, PageFiles, PageName } from "./pages/page-files.js";
import { type PagePlace, placeOf, placePage, SLASH_SCRIPT_HASH } from "./pages/place.js";
import { isNavigation, readableResponse } from "./readable.js";
import type { HttpResponse, RequestContext } from "./request-context.js";

/** Opens the files of a page. */
export type OpenPage = (name: PageName) => Promise<PageFiles>;

/** Loads the built pages. Imports are written out, so that bundlers and tracers include the files. */
const BUILT: { readonly [Name in PageName]: () => Promise<{ readonly files: readonly BuiltFile[] | undefined }> } = {
  "api-browser": () => import("#pages/api-browser"),
  dashboard: () => import("#pages/dashboard"),
};

/** Opens the built files. */
export const openBuilt: OpenPage = async (name) => pageFilesOf((await BUILT[name]()).files);

/** Serves a page to routes. */
export interface PageServer {
  /** Responds with the page itself; 501 if a program was built without it. */
  page(request: RequestContext): Promise<HttpResponse>;
  /** Responds with a file of the page. @throws ActivityError `NO_SUCH_ROUTE` for an unlisted name */
  asset(request: RequestContext, name: string): Promise<HttpResponse>;
}

/** The embedder's settings for a page. */
export interface PageSettings {
  /** Sites that may show it in a frame. @default none */
  readonly frameAncestors?: readonly string[] | undefined;
  /** Elements for its head. @default none */
  readonly head?: string | undefined;
}

/** Most places for which a server caches its page; usually there are one or two. */
const MAX_PLACES = 8;

/**
 * Prepares a page.
 *
 * @param title its name in logs
 * @param open opens the files, once, on the first request
 */
export function createPageServer(
  name: PageName,
  { title, logger, open, settings }: { title: string; logger: Logger; open: OpenPage; settings: PageSettings },
): PageServer {
  const places = new LruCache<string, Promise<PageFile>>(MAX_PLACES);
  let opening: Promise<PageFiles | undefined> | undefined;
  let isReported = false;

  function files(): Promise<PageFiles | undefined> {
    opening ??= open(name).catch((cause: unknown) => {
      // The next request tries again; the error is logged once.
      opening = undefined;
      if (!isReported) logger.warn(`${title} is not served: ${messageOf(cause)}`);
      isReported = true;
      return undefined;
    });
    return opening;
  }

  function missing(request: RequestContext): HttpResponse {
    const message = `the files of ${title} are missing from this build of the program: ${BUNDLER_REMEDY}`;
    return isNavigation(request) ? readableResponse(501, "Not built in", message) : messageResponse(501, message);
  }

  function pageAt(page: PageFile, place: PagePlace): Promise<PageFile> {
    const key = JSON.stringify(place);
    let made = places.get(key);
    if (made === undefined) {
      made = placePage(page, place, settings.head ?? "");
      places.put(key, made);
    }
    return made;
  }

  return {
    async page(request) {
      const opened = await files();
      if (opened === undefined) return missing(request);
      const place = placeOf(request);
      return fileResponse(request, await pageAt(opened.page, place), pageHeaders(place, settings));
    },
    async asset(request, asset) {
      const opened = await files();
      if (opened === undefined) return missing(request);
      const file = opened.assets.get(asset);
      if (file === undefined) throw new ActivityError("NO_SUCH_ROUTE", `${title} has no such file`);
      return fileResponse(request, file, {});
    },
  };
}

const BUNDLER_REMEDY =
  "keep the package activity-server out of the bundle, or let the bundler follow its dynamic imports";

/** A page runs its own files and calls its own server. It loads nothing else. */
function pageHeaders({ isUnsure }: PagePlace, { frameAncestors = [] }: PageSettings): HttpResponse["headers"] {
  const ancestors = frameAncestors.map((name) => (name === "self" ? "'self'" : name));
  const policy = [
    "default-src 'none'",
    isUnsure ? `script-src 'self' ${SLASH_SCRIPT_HASH}` : "script-src 'self'",
    "style-src 'self'",
    // Icons in style sheets, and of the pages themselves.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.join(" ") || "'none'"}`,
  ];
  return { "content-security-policy": policy.join("; "), "referrer-policy": "no-referrer" };
}

async function fileResponse(
  request: RequestContext,
  file: PageFile,
  headers: HttpResponse["headers"],
): Promise<HttpResponse> {
  const encoding = request.takesEncoded ? encodingFor(request.header("accept-encoding")) : "identity";
  const tag = `"${file.hash}.${encoding}"`;
  const described: Record<string, string> = {
    ...headers,
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    etag: tag,
    vary: "Accept-Encoding",
  };
  if (isKnown(tag, request.header("if-none-match"))) return { status: 304, headers: described, body: null };
  described["content-type"] = file.type;
  if (encoding !== "identity") described["content-encoding"] = encoding;
  return { status: 200, headers: described, body: [await file.bytes(encoding)] };
}

function isKnown(tag: string, ifNoneMatch: string | undefined): boolean {
  const known = ifNoneMatch?.split(",").map((given) => given.trim().replace(/^W\//, "")) ?? [];
  return known.includes(tag) || known.includes("*");
}
