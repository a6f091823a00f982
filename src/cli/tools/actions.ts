import { createInterface } from "node:readline/promises";
import { isActivityClientError } from "../../client/index.js";
import type { Control } from "../control-file.js";
import { LaunchError, printable, usageError } from "../launch-error.js";
import type { Streams } from "../output.js";
import { type Connection, connect } from "./connection.js";
import { type CommonOptions, requireValue } from "./options.js";
import { requireFolder } from "./place.js";
import { createReport, type Report } from "./report.js";
import { findTarget, requireServer } from "./target.js";

export type Action<Options> = (options: Options, connection: Connection, report: Report) => Promise<void>;

export type Actions<Options> = Readonly<Record<string, Action<Options>>>;

/** Runs the named action. @returns the exit code @throws LaunchError with the usage for an unknown name */
export async function runAction<Options extends CommonOptions & { readonly action?: string | undefined }>(
  options: Options,
  actions: Actions<Options>,
): Promise<number> {
  const { action = "" } = options;
  return runOnPlace(options, requireValue(Object.hasOwn(actions, action) ? actions[action] : undefined, options));
}

/** Runs an action on the server, folder or database of a command, and closes it. @returns the exit code */
export async function runOnPlace<Options extends CommonOptions>(
  options: Options,
  action: Action<Options>,
): Promise<number> {
  return runOnConnection(options, connect(await findTarget(options.place), { trashDays: options.trashDays }), action);
}

/**
 * Runs an action on the running server of a data folder.
 *
 * @returns the exit code
 * @throws LaunchError for a database, with the reason; if no server is running
 */
export async function runOnServer<Options extends CommonOptions>(
  options: Options,
  reason: string,
  action: (options: Options, connection: Connection, report: Report, control: Control) => Promise<void>,
): Promise<number> {
  const control = await requireServer(requireFolder(options.place, reason).path);
  const connection = connect({ kind: "server", control });
  return runOnConnection(options, connection, (...given) => action(...given, control));
}

/** Runs an action over a connection, and closes it. @returns the exit code */
export async function runOnConnection<Options extends CommonOptions>(
  options: Options,
  connection: Connection,
  action: Action<Options>,
): Promise<number> {
  try {
    await action(options, connection, createReport(options));
    return 0;
  } catch (thrown) {
    throw explainClientError(thrown);
  } finally {
    await connection.close();
  }
}

/** The cause of a failed call, with the server's message if there is one. */
export function explainClientError(thrown: unknown): unknown {
  if (!isActivityClientError(thrown)) return thrown;
  const { serverMessage, cause, message } = thrown;
  if (serverMessage === undefined && cause instanceof Error) return cause;
  return new LaunchError(printable(serverMessage ?? message, 300));
}

/**
 * Shows the planned changes and asks, unless `--yes` is set.
 *
 * @returns whether to make the changes
 * @throws LaunchError without a terminal
 */
export async function previewAndConfirm(
  options: { readonly streams: Streams; readonly yes: boolean; readonly dryRun?: boolean },
  preview: () => Promise<void>,
): Promise<boolean> {
  const { dryRun = false, yes, streams } = options;
  if (yes && !dryRun) return true;
  await preview();
  return !dryRun && (await askToConfirm(streams));
}

/**
 * Shows the planned changes, asks, and makes them. With `--yes`, shows them afterwards.
 *
 * @param apply makes the changes, or only plans them
 * @returns the changes, if any were made
 */
export async function confirmAndApply<Change>(
  options: Parameters<typeof previewAndConfirm>[0],
  apply: (isPreview: boolean) => Promise<Change>,
  show: (change: Change, suffix: "" | "-preview") => void,
): Promise<Change | undefined> {
  let isShown = false;
  const preview = async (): Promise<void> => {
    show(await apply(true), "-preview");
    isShown = true;
  };
  if (!(await previewAndConfirm(options, preview))) return undefined;
  const done = await apply(false);
  if (!isShown) show(done, "");
  return done;
}

/** @throws LaunchError without a terminal */
export async function askToConfirm({ stdin, stdout }: Streams): Promise<boolean> {
  if (!stdin.isTTY) throw usageError("no terminal to ask on; use --yes, or --dry-run to only see the changes");
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    return /^y(es)?$/i.test((await lines.question("Continue? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}
