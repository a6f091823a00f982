import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.js";

/** A page that leads to the link by which the owner signs in. */
const SIGN_IN_PAGE = "sign-in.html";

/**
 * Opens a link that signs in. Whoever may list the processes of this machine sees their arguments, so the browser gets
 * the name of a page that only its owner can read, and that leads to the link.
 *
 * @returns why it did not work, or `undefined`
 */
export async function openSignIn(url: string, folder: string): Promise<string | undefined> {
  const file = join(folder, SIGN_IN_PAGE);
  await rm(file, { force: true });
  await writeFile(file, renderRedirectPage(url), { mode: 0o600, flag: "wx" });
  return openBrowser(pathToFileURL(file).href);
}

/** @param url of this server, with a token: no sign of it means anything in HTML or in a script */
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
