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
