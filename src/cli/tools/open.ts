import type { CommandOptions } from "../command-options.js";
import { LaunchError } from "../launch-error.js";
import { openSignIn } from "../sign-in-page.js";
import { runOnServer } from "./actions.js";
import { requireFolder } from "./place.js";

/**
 * Opens the dashboard of a running server, signed in.
 *
 * @returns the exit code
 * @throws LaunchError for a server on a Unix socket: another program may listen on its address
 */
export async function open(options: CommandOptions<"open">): Promise<number> {
  const reason = "only a server with a data folder creates links; sign in with a key from keys add";
  return runOnServer(options, reason, async ({ print, json, place }, { client }, report, control) => {
    if (control.socketPath !== undefined) {
      throw new LaunchError("browsers cannot open this server's socket; start the server on a port");
    }
    const { path, expires } = await client.sessions.createLink();
    // Without a slash, the path would become part of the host name.
    if (!path.startsWith("/"))
      throw new LaunchError("the server returned an invalid link; check that it is activity-server");
    const url = control.address + path;
    if (print || json) {
      report.event("sign-in-link", { url, expires }, url);
      return;
    }
    const fault = await openSignIn(url, requireFolder(place, reason).path);
    const opened = "Opening the dashboard in the browser. If it does not open, run: activity-server open --print";
    const printed = `Cannot open a browser (${fault}). This link signs in once, within a minute:\n${url}`;
    report.event("sign-in-link", { url, expires }, fault === undefined ? opened : printed);
  });
}
