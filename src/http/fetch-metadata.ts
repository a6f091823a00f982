import type { RequestContext } from "./request-context.js";

/** What browsers say about where a request comes from, beside its origin. */
export type FetchMetadata = "here" | "foreign" | "foreign navigation" | "foreign extension";

/**
 * Reads the fetch metadata of a request (docs/security.md#web-pages). Pages cannot set or leave out these headers;
 * browsers send them to loopback names and over TLS, and other programs do not send them at all.
 *
 * - `here`: from a page of this server, typed by somebody, or not from a browser;
 * - `foreign navigation`: somebody follows a link of another site in a tab of theirs;
 * - `foreign extension`: a `fetch` that bears no origin, which browsers leave out for extensions alone.
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
