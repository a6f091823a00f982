/** 1: the server cannot start or continue. 2: the command line or the environment is invalid. */
export type ExitCode = 1 | 2;

/** A reason not to start that the user can fix: shown as one line, never with a stack trace. */
export class LaunchError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.name = "LaunchError";
    this.exitCode = exitCode;
  }
}

/** The error of an invalid command line. */
export function usageError(message: string): LaunchError {
  return new LaunchError(message, 2);
}

/** Makes a string from elsewhere (files, other servers, arguments) safe for one line of a terminal. */
export function printable(text: string, longest = 120): string {
  const clean = text.replace(/[\p{C}\u2028\u2029]+/gu, "?");
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`;
}
