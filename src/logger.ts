/**
 * Where the server reports what it does. `console` and a pino logger both fit: each call passes one argument, a line of
 * text or an `Error`.
 */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(error: unknown): void;
}

/** Says nothing. The default. */
export const silentLogger: Logger = {
  info() {},
  warn() {},
  error() {},
};

/** The same logger; a failure of its own takes nothing else down. */
export function guarded(logger: Logger): Logger {
  function attempt(log: () => void): void {
    try {
      log();
    } catch {
      // There is nowhere left to report it.
    }
  }
  return {
    info: (message) => attempt(() => logger.info(message)),
    warn: (message) => attempt(() => logger.warn(message)),
    error: (error) => attempt(() => logger.error(error)),
  };
}
