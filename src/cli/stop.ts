import type { ListeningSocket } from "../http/listen.js";
import { LaunchError } from "./launch-error.js";

/** After this time the process ends, even with unfinished work. */
const LIMIT_MILLIS = 4800;

const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
export type StopSignal = keyof typeof SIGNAL_NUMBERS;

/** npm passes on an interrupt that the terminal has already sent: two signals for one key press. */
const ECHO_MILLIS = 1000;
const PARENT_CHECK_MILLIS = 500;

/** Calls `stop` at the first SIGINT or SIGTERM and ends the process at the second. */
export function onStopSignal(stop: (signal: StopSignal) => void): void {
  const { npm_lifecycle_event: script, npm_package_name: project } = process.env;
  let stoppedAt: number | undefined;

  function receive(signal: StopSignal): void {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop(signal);
      return;
    }
    const echo = script !== undefined && signal === "SIGINT" && performance.now() - stoppedAt < ECHO_MILLIS;
    if (!echo) process.exit(128 + SIGNAL_NUMBERS[signal]);
  }

  process.on("SIGINT", receive);
  process.on("SIGTERM", receive);
  const hasShellParent = script === "npx" || (script === "start" && project === "activity-server");
  if (hasShellParent) onOrphaned(() => receive("SIGTERM"));
}

/**
 * Detects that the parent process is gone. `npm start` and `npx` send SIGTERM to the shell between npm and this
 * process, and many shells exit without passing it on: nothing else could end the server.
 */
function onOrphaned(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, PARENT_CHECK_MILLIS);
  timer.unref();
}

/**
 * Ends a server within 5 seconds: no new connections, idle ones closed, running requests finished or, after 4 seconds,
 * cut off; then the storage is closed.
 *
 * @throws LaunchError if the storage does not close in time. Acknowledged writes are safe anyway.
 */
export async function stopGracefully(listener: ListeningSocket, closeServer: () => Promise<void>): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const error = new LaunchError("the storage did not close in time; acknowledged writes are safe");
    limit = setTimeout(() => reject(error), LIMIT_MILLIS);
  });
  try {
    await Promise.race([listener.close().then(closeServer), tooLate]);
  } finally {
    clearTimeout(limit);
  }
}
