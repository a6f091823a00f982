import type { RequestContext } from "./request-context.js";

/** Where a request comes from according to the browser, in addition to its origin. */
export type FetchMetadata = "here" | "foreign" | "foreign navigation" | "foreign extension";

/**
 * Reads the fetch metadata of a request (docs/explanation/security.md#web-pages). Pages cannot set or remove these
 * headers. Browsers send them to loopback names and over TLS; other programs do not send them.
 *
 * - `here`: from a page of this server, typed by the user, or not from a browser;
 * - `foreign navigation`: the user follows a link of another site in one of their tabs;
 * - `foreign extension`: a `fetch` without an origin, which browsers send only for extensions.
 */
export function fetchMetadata(request: Pick<RequestContext, "method" | "header">): FetchMetadata {
  const site = request.header("sec-fetch-site");
  if (site !== "cross-site" && site !== "same-site") return "here";
  const isReading = request.method === "GET" || request.method === "HEAD";
  const mode = request.header("sec-fetch-mode");
  if (!isReading) return "foreign";
  if (mode === "navigate" && request.header("sec-fetch-dest") === "document") return "foreign navigation";
  return mode === "cors" && request.header("origin") === undefined ? "foreign extension" : "foreign";
}

/** The origin of the page whose link the user follows; `null` if its site hides it. */
export function refererOrigin(request: Pick<RequestContext, "header">): string {
  return /^https?:\/\/[^/?#]*/.exec(request.header("referer") ?? "")?.[0] ?? "null";
}

/**
 * Whether a browser or its proxy sends a request before the user wants it. A page of another site can cause such
 * requests, and browsers then report them as typed by the user (`Sec-Fetch-Site: none`).
 */
export function isSpeculative(request: Pick<RequestContext, "header">): boolean {
  const purpose = request.header("sec-purpose") ?? request.header("purpose");
  return (purpose ?? request.header("x-moz") ?? request.header("x-purpose")) !== undefined;
}

/** Whether a browser renders a page that the user has not opened. */
export function isPrerender(request: Pick<RequestContext, "header">): boolean {
  return request.header("sec-purpose")?.includes("prerender") ?? false;
}
