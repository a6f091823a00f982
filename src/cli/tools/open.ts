import type { Named } from "../../api/schemas.js";
import type { CommandOptions } from "../command-options.js";
import { LaunchError } from "../launch-error.js";
import { openSignIn } from "../sign-in-page.js";
import { folderOf } from "./place.js";
import { createReport } from "./report.js";
import { runningServer } from "./request.js";

/**
 * Signs the owner in at the page of a running server.
 *
 * @returns the exit code
 * @throws LaunchError for a server behind a Unix socket: its address would lead the browser to somebody else
 */
export async function open({ place, print, json, streams }: CommandOptions<"open">): Promise<number> {
  const data = folderOf(place, "links are made by a server with a data folder; sign in with a key of keys add");
  const server = await runningServer(data);
  if (server.isBehindSocket) throw new LaunchError("no browser opens the socket of this server; the page needs a port");
  const { path, expires } = (await server.request("POST", "/api/0/session/links")) as Named<"SignInLink">;
  // Without a slash it would be the end of another host's name.
  if (!path.startsWith("/")) throw new LaunchError("the server gave a link that is none; is it another program?");
  const url = server.address + path;
  const report = createReport({ json, streams });
  if (print || json) {
    report.event("sign-in-link", { url, expires }, url);
    return 0;
  }
  const fault = await openSignIn(url, data);
  const opened = "The page opens in the browser. If it does not: activity-server open --print";
  const printed = `No browser could be opened (${fault}). This link signs in once, within a minute:\n${url}`;
  report.event("sign-in-link", { url, expires }, fault === undefined ? opened : printed);
  return 0;
}
