/**
 * Receives the log of the server. `console` and a pino logger both fit: each call passes one argument, a line of text
 * or an `Error`.
 */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(error: unknown): void;
}

/** Logs nothing. */
export const silentLogger: Logger = {
  info() {},
  warn() {},
  error() {},
};

/** Writes errors with their stacks to `console.error`, and no other messages. The default of a server. */
export const errorLogger: Logger = {
  ...silentLogger,
  // biome-ignore lint/suspicious/noConsole: without a logger there is no other place for errors
  error: (error) => console.error(`activity-server: ${formatStack(error)}`),
};

const MAX_CAUSES = 8;

/**
 * The stacks of an error and its causes. Leaves out other fields of the errors, in which database drivers and HTTP
 * clients store values and credentials.
 */
function formatStack(thrown: unknown): string {
  const stacks: string[] = [];
  let cause = thrown;
  while (stacks.length < MAX_CAUSES && cause !== undefined && cause !== null) {
    stacks.push(getOwnStack(cause));
    cause = (cause as { readonly cause?: unknown }).cause;
  }
  return stacks.join("\ncaused by: ") || `${thrown} was thrown`;
}

function getOwnStack(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  const { name, message = "", stack } = thrown as Partial<Error>;
  if (typeof stack !== "string") return `a value without a stack was thrown (${typeof thrown})`;
  return stack.replace(message, () => messageWithoutData(name, message));
}

/** Our messages quote an invalid value at their end, and a `SyntaxError` quotes parsed JSON. */
function messageWithoutData(name: string | undefined, message: string): string {
  if (name === "ActivityError") return message.replace(/, got .*/s, "");
  return name === "SyntaxError" ? "unreadable" : message;
}

/** Returns a logger that ignores the failures of the given one. */
export function guarded(logger: Logger): Logger {
  function attempt(log: () => void): void {
    try {
      log();
    } catch {
      // There is no place left to report it.
    }
  }
  return {
    info: (message) => attempt(() => logger.info(message)),
    warn: (message) => attempt(() => logger.warn(message)),
    error: (error) => attempt(() => logger.error(error)),
  };
}
