import type { Guard } from "./guard.js";
import type { RequestContext } from "./request-context.js";
import { normalized } from "./router.js";

/**
 * With this header, a page proves that it is the one that signed in, because every port of a host receives its cookies.
 */
export const SESSION_HEADER = "x-activity-session";

/** Cookies of one name to check: servers on other ports may have set some. */
const MAX_COOKIES = 64;
/** The value of our cookie. */
const COOKIE = /^[\w-]{43}$/;
const HOST_PORT = /:(\d+)$/;
/** The segments of the route that signs in, from its end. */
const SIGN_IN = ["session", "0", "api"];

/** The name of the cookie, with the port that the browser requested: another port of the host is another server. */
export function cookieName(request: RequestContext, guard: Guard): string {
  const [, port = guard.isSecure(request) ? "443" : "80"] = HOST_PORT.exec(request.header("host") ?? "") ?? [];
  return `activity-server-session-${port}`;
}

/** The cookie's values in a request. */
export function sessionCookies(request: RequestContext, guard: Guard): string[] {
  const header = request.header("cookie");
  if (header === undefined) return [];
  const beginning = `${cookieName(request, guard)}=`;
  const cookies = header.split(";").map((cookie) => cookie.trim());
  return cookies
    .filter((cookie) => cookie.startsWith(beginning))
    .map((cookie) => cookie.slice(beginning.length))
    .filter((value) => COOKIE.test(value))
    .slice(0, MAX_COOKIES);
}

/** A line of `Set-Cookie`. @param value empty to remove the cookie */
export function cookieLine(request: RequestContext, guard: Guard, value: string, seconds: number): string {
  return [
    `${cookieName(request, guard)}=${value}`,
    `Path=${mountOf(request)}`,
    `Max-Age=${seconds}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(guard.isSecure(request) ? ["Secure"] : []),
  ].join("; ");
}

/** The server's path as the browser sees it, as far as it is known: a proxy may have removed a prefix. */
function mountOf({ path, host }: RequestContext): string {
  const { originalUrl } = (host.node ?? {}) as { readonly originalUrl?: unknown };
  const mount = beforeSignIn(typeof originalUrl === "string" ? (originalUrl.split("?", 1)[0] ?? "") : path);
  // Excludes characters that would end the attribute.
  return /^(?:\/[\w.~%!$&'()*+,=:@-]+)+$/.test(mount) ? mount : "/";
}

/** The part of the path before the route, in the browser's spelling: browsers compare paths letter by letter. */
function beforeSignIn(path: string): string {
  const segments = path.split("/");
  for (const wanted of SIGN_IN) {
    while (segments.at(-1) === "") segments.pop();
    if (normalized(segments.pop() ?? "") !== wanted) return "";
  }
  return segments.join("/").replace(/\/+$/, "");
}

/**
 * Whether a request comes from a page of the server itself. Browsers show this by Origin, or by fetch metadata without
 * one. A browser that sends neither is trusted for reads only: it does not send a `SameSite=Strict` cookie for other
 * sites.
 */
export function isSameOrigin(request: RequestContext, guard: Guard): boolean {
  const origin = request.header("origin");
  if (origin !== undefined) return guard.isOwnOrigin(origin, request);
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.method === "GET" || request.method === "HEAD";
}
