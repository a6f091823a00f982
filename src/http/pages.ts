// Pages of the package: their files, and the responses that carry these.
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import { encodingFor } from "./pages/encoding.js";
import type { PageFile, PageFiles, PageName } from "./pages/page-files.js";
import type { HttpResponse, RequestContext } from "./request-context.js";

/** Opens the files of a page. */
export type OpenPage = (name: PageName) => Promise<PageFiles>;

/** Bundlers should not follow it: the core runs without Node. The build puts the file at the same place. */
const FILES: string = "./pages/files.js";

/** Opens files that the build has made. */
export const openBuilt: OpenPage = async (name) => {
  const { openPageFiles } = (await import(FILES)) as typeof import("./pages/files.js");
  return openPageFiles(name);
};

/** A page as routes serve it. */
export interface PageServer {
  /** Responds with the page itself, or `plain` where a host that was bundled into one file does not have it. */
  page(request: RequestContext, plain: string): Promise<HttpResponse>;
  /** Responds with a file that the page loads. @throws ActivityError `NO_SUCH_ROUTE` for a name that is not listed */
  asset(request: RequestContext, name: string): Promise<HttpResponse>;
}

/**
 * Prepares a page.
 *
 * @param title what a log calls it
 * @param open opens the files, once, when the first of them is asked for
 */
export function createPageServer(name: PageName, title: string, logger: Logger, open: OpenPage): PageServer {
  let opening: Promise<PageFiles | undefined> | undefined;

  function withoutFiles(cause: unknown): undefined {
    logger.warn(`${title} is not served: ${cause instanceof Error ? cause.message : cause}`);
  }

  function files(): Promise<PageFiles | undefined> {
    opening ??= open(name).catch(withoutFiles);
    return opening;
  }

  return {
    async page(request, plain) {
      const opened = await files();
      return opened === undefined ? plainResponse(plain) : fileResponse(request, opened.page, PAGE_HEADERS);
    },
    async asset(request, asset) {
      const file = (await files())?.assets.get(asset);
      if (file === undefined) throw new ActivityError("NO_SUCH_ROUTE", `${title} has no such file`);
      return fileResponse(request, file, {});
    },
  };
}

/** Leads to a page whose links begin at its slash. Relative, since only the client knows the prefix in front. */
export function redirectTo(location: string): HttpResponse {
  return { status: 307, headers: { location }, body: null };
}

/** A page runs its own files and calls its own server; nothing else is ever loaded. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Icons in style sheets, and of the pages themselves.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
};

async function fileResponse(
  request: RequestContext,
  file: PageFile,
  headers: HttpResponse["headers"],
): Promise<HttpResponse> {
  const encoding = encodingFor(request.header("accept-encoding"));
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

function plainResponse(body: string): HttpResponse {
  return { status: 200, headers: { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" }, body };
}
