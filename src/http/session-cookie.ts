import type { Guard } from "./guard.js";
import type { RequestContext } from "./request-context.js";
import { normalized } from "./router.js";

/** By this header a page proves that it is the one that signed in, since cookies reach every port of a host. */
export const SESSION_HEADER = "x-activity-session";

/** Cookies of one name that are looked at: servers on other ports may have left some. */
const MOST_COOKIES = 64;
/** A cookie of ours. */
const COOKIE = /^[\w-]{43}$/;
const HOST_PORT = /:(\d+)$/;
/** The segments of the route that signs in, from its end. */
const SIGN_IN = ["session", "0", "api"];

/** The name of the cookie, with the port that the browser has asked: another port of the host is another server. */
export function cookieName(request: RequestContext, guard: Guard): string {
  const [, port = guard.isSecure(request) ? "443" : "80"] = HOST_PORT.exec(request.header("host") ?? "") ?? [];
  return `activity-server-session-${port}`;
}

/** Values of the cookie that a request came with. */
export function sessionCookies(request: RequestContext, guard: Guard): string[] {
  const header = request.header("cookie");
  if (header === undefined) return [];
  const beginning = `${cookieName(request, guard)}=`;
  const cookies = header.split(";").map((cookie) => cookie.trim());
  return cookies
    .filter((cookie) => cookie.startsWith(beginning))
    .map((cookie) => cookie.slice(beginning.length))
    .filter((value) => COOKIE.test(value))
    .slice(0, MOST_COOKIES);
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

/** Where the browser finds the server, as far as that is known: a proxy may have taken a prefix off. */
function mountOf({ path, host }: RequestContext): string {
  const { originalUrl } = (host.node ?? {}) as { readonly originalUrl?: unknown };
  const mount = beforeSignIn(typeof originalUrl === "string" ? (originalUrl.split("?", 1)[0] ?? "") : path);
  // No sign that would end the attribute.
  return /^(?:\/[\w.~%!$&'()*+,=:@-]+)+$/.test(mount) ? mount : "/";
}

/** What stands before the route, spelled as the browser does: it compares paths letter by letter. */
function beforeSignIn(path: string): string {
  const segments = path.split("/");
  for (const wanted of SIGN_IN) {
    while (segments.at(-1) === "") segments.pop();
    if (normalized(segments.pop() ?? "") !== wanted) return "";
  }
  return segments.join("/").replace(/\/+$/, "");
}

/**
 * Whether a request comes from a page of the server itself. Browsers say so by Origin, or by fetch metadata where they
 * leave Origin out; one that says neither can be trusted with reading, since it sends no `SameSite=Strict` cookie for
 * other sites.
 */
export function isSameOrigin(request: RequestContext, guard: Guard): boolean {
  const origin = request.header("origin");
  if (origin !== undefined) return guard.isOwnOrigin(origin, request);
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  return request.method === "GET" || request.method === "HEAD";
}
