/** 1: the server cannot start or go on. 2: the command line or the environment is written wrongly. */
export type ExitCode = 1 | 2;

/** A reason not to start that a person can mend: shown as one line, never with a stack trace. */
export class LaunchError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.name = "LaunchError";
    this.exitCode = exitCode;
  }
}

/** The error of everything that is wrong with the words of the command itself. */
export function usageError(message: string): LaunchError {
  return new LaunchError(message, 2);
}

/** Makes text from elsewhere (files, other servers, arguments) safe for one line of a terminal. */
export function printable(text: string, longest = 120): string {
  const clean = text.replace(/[\p{C}\u2028\u2029]+/gu, "?");
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`;
}
