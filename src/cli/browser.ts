import { spawn } from "node:child_process";

/**
 * Opens a URL in the user's browser. listhen could do this as well, but not under every NODE_ENV, and on Linux it runs
 * `xdg-open` from the shared temporary folder, where any user can put one.
 *
 * @returns why it failed, or `undefined`
 */
export function openBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<string | undefined> {
  const [command, ...words] = browserCommand(platform);
  return new Promise((done) => {
    const child = spawn(command, [...words, url], {
      stdio: "ignore",
      detached: true,
    });
    child.once("error", (error) => done(error.message));
    child.once("spawn", () => {
      child.unref();
      done(undefined);
    });
  });
}

function browserCommand(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
