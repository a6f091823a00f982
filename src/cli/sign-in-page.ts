import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.js";

/** A page that redirects to the owner's sign-in link. */
const SIGN_IN_PAGE = "sign-in.html";

/**
 * Opens a sign-in link. All users can list processes with their arguments, so the browser gets the path of a page that
 * redirects to the link and that only its owner can read.
 *
 * @returns why it failed, or `undefined`
 */
export async function openSignIn(url: string, folder: string): Promise<string | undefined> {
  const file = join(folder, SIGN_IN_PAGE);
  await rm(file, { force: true });
  await writeFile(file, renderRedirectPage(url), { mode: 0o600, flag: "wx" });
  return openBrowser(pathToFileURL(file).href);
}

/** @param url of this server, with a token. None of its characters is special in HTML or scripts */
function renderRedirectPage(url: string): string {
  const text = JSON.stringify(url).replaceAll("<", "\\u003c");
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>activity-server</title>
<p>Opening the page of activity-server…</p>
<script>location.replace(${text});</script>
`;
}
