import { ActivityError, mustBe, quote } from "./errors.js";
import { errorLogger, guarded, type Logger, silentLogger } from "./logger.js";
import type { ActivityServerOptions } from "./options.js";

/** How the servers of tenants are opened and closed. */
export interface TenantsOptions<Identity extends object = object, Context = never> {
  /**
   * Returns the options of a tenant's server. Called each time that the tenant is opened. An error reaches the caller,
   * and the next use calls it again.
   */
  readonly open: (
    id: string,
  ) => ActivityServerOptions<Identity, Context> | Promise<ActivityServerOptions<Identity, Context>>;
  /** Most open tenants; more only while all of them have work in progress. @default 1000 */
  readonly max?: number | undefined;
  /** Milliseconds after which an unused tenant is closed. @default 15 minutes */
  readonly idleMillis?: number | undefined;
  /**
   * Receives errors of `open` that `nodeHandler` and `fetch` respond to, and failed closings. `false` for none.
   * @default `console.error`
   */
  readonly logger?: Logger | false | undefined;
}

const DEFAULT_MAX = 1_000;
const DEFAULT_IDLE_MILLIS = 15 * 60_000;

interface CheckedOptions {
  readonly max: number;
  readonly idleMillis: number;
  readonly logger: Logger;
}

/** @throws TypeError for options that cannot work */
export function checkedOptions<Identity extends object, Context>(
  options: TenantsOptions<Identity, Context>,
): Pick<TenantsOptions<Identity, Context>, "open"> & CheckedOptions {
  const { open, max = DEFAULT_MAX, idleMillis = DEFAULT_IDLE_MILLIS, logger = errorLogger } = options;
  if (typeof open !== "function") throw new TypeError("open must be a function that returns the options of a server");
  if (!(Number.isInteger(max) && max > 0)) throw new TypeError(`max must be an integer from 1, got ${String(max)}`);
  if (!(typeof idleMillis === "number" && idleMillis > 0)) {
    throw new TypeError(`idleMillis must be a number above 0, got ${String(idleMillis)}`);
  }
  return { open, max, idleMillis, logger: guarded(logger || silentLogger) };
}

const MAX_CHARACTERS = 200;

/** Refuses IDs that would lead elsewhere as names of folders, namespaces or files. */
export function checkId(id: unknown): asserts id is string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
  const isPath = /[/\\\0-\x1f\x7f]|^\.{1,2}$/;
  const wanted = `a string of 1 to ${MAX_CHARACTERS} characters`;
  if (typeof id !== "string" || id === "" || id.length > MAX_CHARACTERS) throw mustBe("the tenant's ID", wanted, id);
  if (isPath.test(id) || !id.isWellFormed()) {
    throw new ActivityError(
      "INVALID_INPUT",
      `the tenant's ID must not be a path or have control characters: ${quote(id)}`,
    );
  }
}
