import { placeOf } from "./pages/place.js";
import type { Route } from "./route.js";

/** The page's path below the server; the token follows it. */
export const SIGN_IN_PATH = "/api/sign-in";

/** Removes the token from the address, signs in with it, and opens the web UI, which only has the cookie. */
const SCRIPT = `
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
const said = document.querySelector("p");
const api = location.pathname.replace(/sign-in\\/*$/, "");
fetch(api + "0/session", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ token }),
}).then(async (response) => {
  const { message } = await response.json();
  if (!response.ok) return void (said.textContent = message);
  const state = await (await fetch(api + "0/session")).json();
  if (state.signed_in) return location.replace(api + "../");
  said.textContent = "This web interface can be signed in only if the server runs with --session-cookie-alone.";
}).catch(() => {
  said.textContent = "The server does not answer.";
});
`;

/** @param script relative to the address of the page */
const pageOf = (script: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Signing in</title>
<h1>Signing in</h1>
<p>One moment.</p>
<script src="${script}"></script>
</html>
`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The routes of a sign-in page for web UIs without one: those of a folder (docs/reference/keys.md#sessions). Its script
 * is a file, which a strict policy of the embedder allows.
 */
export function signInRoutes(): readonly Route[] {
  return [
    {
      method: "GET",
      path: SIGN_IN_PATH,
      summary: "Sign in by a link",
      open: true,
      async handle(request) {
        const headers = {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": POLICY,
          "referrer-policy": "no-referrer",
        };
        return { status: 200, headers, body: pageOf(placeOf(request).prefix === "" ? "../sign-in.js" : "sign-in.js") };
      },
    },
    {
      method: "GET",
      path: `${SIGN_IN_PATH}.js`,
      summary: "Get the script of the sign-in page",
      open: true,
      async handle() {
        return { status: 200, headers: { "content-type": "text/javascript; charset=utf-8" }, body: SCRIPT };
      },
    },
  ];
}
