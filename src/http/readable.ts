// Errors for a person who opens an address in a browser.
import type { HttpResponse, RequestContext } from "./request-context.js";

/** Whether a browser shows the response as a page. */
export function isNavigation(request: Pick<RequestContext, "method" | "header">): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  return /\btext\/html\b/i.test(request.header("accept") ?? "");
}

/** An error as a page. */
export function readableResponse(status: number, title: string, message: string): HttpResponse {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
</html>
`;
  return { status, headers, body };
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a string for HTML, also between double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}
