import { errorCode } from "./data-folder.js";
import { type LaunchEnvironment, launch, reportFailure } from "./launch.js";
import { LaunchError } from "./launch-error.js";
import { onStopSignal } from "./stop.js";

/**
 * Runs the CLI as a process.
 *
 * @param onLoaded called before a server's first response; a command does not call it
 */
export function run(onLoaded: () => void): void {
  // Only the user can read files of this process. Windows has no umask.
  if (process.platform !== "win32") process.umask(0o077);
  const argv = process.argv.slice(2);
  let isServer = false;
  const environment: LaunchEnvironment = {
    env: process.env,
    streams: process,
    onLoaded,
    stopSignal() {
      isServer = true;
      return new Promise(onStopSignal);
    },
  };
  const fail = (error: unknown) => process.exit(reportFailure(error, argv, environment));
  let lost: string | undefined;
  // A closed pipe (`| head`) is not an error. A full disk is, except for a server.
  process.stdout.on("error", (error) => (lost ??= errorCode(error)));
  process.stderr.on("error", () => {});
  process.once("exit", (exitCode) => {
    if (exitCode !== 0 || isServer || lost === undefined || lost === "EPIPE") return;
    process.exitCode = reportFailure(new LaunchError(`the output cannot be written (${lost})`), argv, environment);
  });
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  launch(argv, environment).then((exitCode) => {
    // A command's output may still be in a pipe, so the process ends by itself.
    process.exitCode = exitCode;
    if (isServer) process.exit();
  }, fail);
}
