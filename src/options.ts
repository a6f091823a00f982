import type { ApiBrowserPage } from "./http/api-browser.js";
import type { Authorize } from "./http/authorize.js";
import { checkDashboardOptions, type DashboardOptions } from "./http/dashboard-options.js";
import type { Logger } from "./logger.js";
import type { QueryLimitsInput } from "./query/budget.js";
import { HOOK_NAMES, type WriteHooks } from "./service/hooks.js";
import type { QuotaOptions } from "./service/quota.js";
import { isStorageSource, type StorageSource } from "./storage/lazy-storage.js";

/**
 * Options of a server. All but `storage` have defaults.
 *
 * @typeParam Identity the caller that `authorize` returns; hooks and listeners get it
 * @typeParam Context the value that your app passes with requests; `authorize` and hooks get it
 */
export interface ActivityServerOptions<Identity extends object = object, Context = never> {
  /**
   * The storage of buckets, events, settings and the device ID: a storage, a promise of one, or a function that returns
   * either. The function is called once, when the storage is first needed; a failed call is repeated. The server opens
   * the storage when it is first needed, and closes it in `close()`.
   */
  readonly storage: StorageSource;
  /**
   * Receives a line for each error of the server and of your hooks, listeners and `authorize`. `console` and pino
   * loggers fit; `false` logs nothing.
   * @default errors with their stacks to `console.error`, without warnings
   */
  readonly logger?: Logger | false | undefined;
  /** Returns Unix milliseconds, for the creation time of buckets without one. @default Date.now */
  readonly clock?: (() => number) | undefined;
  /** The hostname in the server's info, and of buckets with the hostname `!local`. @default the machine's host name */
  readonly hostname?: string | undefined;
  /**
   * Whether buckets can be deleted without `force=1`, and origins of the web UI in development are trusted. @default
   * false
   */
  readonly testing?: boolean | undefined;
  /**
   * Names that a Host header may contain, without port, in addition to the bound address of a socket without TLS;
   * `false` disables the check. The check prevents a foreign page from reaching the server under its own name (DNS
   * rebinding).
   * @default the loopback names and the bound address while the socket is bound to loopback, otherwise no check
   */
  readonly allowedHosts?: readonly string[] | false | undefined;
  /**
   * Whether to trust X-Forwarded-Host and X-Forwarded-Proto. Only for servers after a proxy that sets them. Without
   * `allowedHosts`, the forwarded host must be a loopback name or the bound address. With `allowedHosts: false` it
   * may be any, but pages of a public name are the server's own only if `allowedHosts` contains it.
   * @default false
   */
  readonly trustProxy?: boolean | undefined;
  /** Origins whose pages may call all operations, as browsers send them; `*` = all. @default [] */
  readonly cors?: readonly string[] | undefined;
  /** Regular expressions for such origins; each must match the whole origin. @default [] */
  readonly corsRegex?: readonly string[] | undefined;
  /**
   * An admin key. All paths under `/api/` except info then need `Authorization: Bearer <key>`, with this key or a
   * stored one. Empty = none.
   * @default none
   */
  readonly apiKey?: string | undefined;
  /**
   * Whether all paths under `/api/` except info need a key (docs/guides/keys.md): `required`, or `optional`: requests
   * without a key have all rights, and an invalid key is rejected.
   * @default "required" with an `apiKey`, otherwise "optional"
   */
  readonly auth?: "optional" | "required" | undefined;
  /**
   * Grants all rights, like `apiKey`, without requiring a key from other callers. The operator's tools authenticate
   * with it, or with the key, to back up and verify the storage through the API (docs/reference/control-token.md).
   * Should be long, random, and new at every start. Empty = none.
   * @default none
   */
  readonly controlToken?: string | undefined;
  /**
   * Whether the cookie of a session is enough without the secret of its page, for a web UI that cannot send it. The
   * risk: browsers send cookies to every port of a host, so a server of another user of this machine can collect this
   * one when the browser visits it, and use it from then on (docs/explanation/security.md#sessions).
   * @default false
   */
  readonly sessionCookieAlone?: boolean | undefined;
  /**
   * Decides about each request, by your app's sessions for example. Called after the rules above, for all requests
   * except preflights.
   * @default allows all requests that the rules allow
   */
  readonly authorize?: Authorize<Identity, Context> | undefined;
  /** Functions that see writes before they are stored. @default none */
  readonly hooks?: WriteHooks<Identity, Context> | undefined;
  /**
   * For how many days deleted data can be restored (docs/guides/trash.md); 0: deletes at once.
   * @default 30
   */
  readonly trashDays?: number | undefined;
  /** Limits of the stored data; a write above them gets 507, and deletions stay possible. @default no limit */
  readonly quota?: QuotaOptions | undefined;
  /**
   * Whether to remove expired trash entries and apply the retention rules every hour, from the first request or call,
   * as `listen()` does. For apps that mount the server and never call `listen()`.
   * @default false
   */
  readonly maintain?: boolean | undefined;
  /** Maximum size of a request body in bytes; above it 413. @default 32 MiB */
  readonly bodyLimitBytes?: number | undefined;
  /** Maximum size of an import in bytes; above it 413. @default 1 GiB */
  readonly importLimitBytes?: number | undefined;
  /**
   * Maximum memory of all caches together, in bytes. With less memory, reads are slower, with the same results
   * (docs/explanation/performance.md#memory-limits).
   * @default 128 MiB
   */
  readonly memoryBudgetBytes?: number | undefined;
  /** Maximum number of readers of the feed (docs/guides/feed.md); above it 503. @default 1000 */
  readonly feedReaders?: number | undefined;
  /** Limits of a query; above them 503. @default a minute, 50 million events, 512 MiB */
  readonly queryLimits?: QueryLimitsInput | undefined;
  /**
   * The prefix that your app leaves on the paths of requests, such as `/tracker`. Not needed if your app removes it, as
   * Express does. The server accepts paths without the prefix as well.
   * @default none
   */
  readonly basePath?: string | undefined;
  /**
   * Whether `fetch` and `app` send pages and their files compressed as well. Only if the caller keeps the header
   * `content-encoding`, which Next does not. `nodeHandler` and `listen()` always do.
   * @default false
   */
  readonly precompressed?: boolean | undefined;
  /**
   * The API browser at `/api/`; `false` for none, or a function that creates your own page. Loaded at the first visit.
   * @default true
   */
  readonly apiBrowser?: boolean | ApiBrowserPage | undefined;
  /**
   * The page at `/`, in addition to the API: `true` for the dashboard, `false` for none, or the path of a folder with
   * the built files of another web UI. Loaded at the first visit.
   * @default true
   */
  readonly webui?: boolean | string | undefined;
  /**
   * How the dashboard looks in your app: title, link back, hidden views, language, frames. @default as without your app
   */
  readonly dashboard?: DashboardOptions | undefined;
  /**
   * Whether assistants can call `POST /mcp` (docs/guides/assistants.md). Needs the package
   * `@modelcontextprotocol/server`, which the first call loads.
   * @default false
   */
  readonly mcp?: boolean | undefined;
}

/** The type of each option, for validation; a misspelled one could leave the server open. */
const KINDS: { readonly [Name in keyof Required<ActivityServerOptions>]: string } = {
  storage: "storage",
  logger: "object or false",
  clock: "function",
  hostname: "string",
  testing: "boolean",
  allowedHosts: "list or false",
  trustProxy: "boolean",
  cors: "list",
  corsRegex: "list",
  apiKey: "string",
  auth: "optional or required",
  controlToken: "string",
  sessionCookieAlone: "boolean",
  authorize: "function",
  hooks: "object",
  trashDays: "days",
  quota: "quota",
  maintain: "boolean",
  bodyLimitBytes: "number",
  importLimitBytes: "number",
  memoryBudgetBytes: "number",
  feedReaders: "count",
  queryLimits: "object",
  basePath: "string",
  precompressed: "boolean",
  apiBrowser: "boolean or function",
  webui: "boolean or string",
  dashboard: "object",
  mcp: "boolean",
};

const EXPECTED: Readonly<Record<string, string>> = {
  storage: "a storage",
  object: "an object",
  "object or false": "an object, or false,",
  function: "a function",
  string: "a text",
  "optional or required": '"optional" or "required"',
  boolean: "true or false",
  "boolean or function": "true, false or a function",
  "boolean or string": "true, false or a string",
  number: "a number of bytes above 0",
  count: "an integer of 0 or more",
  days: "a number of days, 0 for none,",
  list: "a list of strings",
  "list or false": "a list of strings, or false,",
  quota: "{ events, bytes }, each an integer from 0,",
};

/** @throws TypeError for invalid options */
export function checkOptions(options: ActivityServerOptions): void {
  if (!isStorageSource(options?.storage)) {
    throw new TypeError("storage must be a storage, e.g. memory() or leveldb({ path })");
  }
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name as keyof ActivityServerOptions] : undefined;
    if (kind === undefined)
      throw new TypeError(`unknown option ${name}; valid options are ${Object.keys(KINDS).join(", ")}`);
    if (value !== undefined && !hasKind(kind, value)) {
      throw new TypeError(`${name} must be ${EXPECTED[kind]}, got ${String(value)}`);
    }
  }
  if (options.auth === "optional" && options.apiKey !== undefined && options.apiKey !== "") {
    throw new TypeError('auth must be "required" with an apiKey, got "optional"; remove it, or use server.keys');
  }
  if (options.dashboard !== undefined) checkDashboardOptions(options.dashboard);
  for (const name of options.allowedHosts || []) {
    if (HOST_NAME.test(name)) continue;
    const wanted = "host names without scheme and port, with IPv6 addresses in brackets";
    throw new TypeError(`allowedHosts must be ${wanted}, got ${JSON.stringify(name)}`);
  }
  for (const method of ["info", "warn", "error"] as const) {
    const { logger = false } = options;
    if (logger !== false && typeof logger[method] !== "function") {
      throw new TypeError(`logger must have a method ${method}; use console or a pino logger`);
    }
  }
  for (const [name, hook] of Object.entries(options.hooks ?? {})) {
    if (!(HOOK_NAMES as readonly string[]).includes(name)) {
      throw new TypeError(`unknown hook ${name}; valid hooks are ${HOOK_NAMES.join(", ")}`);
    }
    if (hook !== undefined && typeof hook !== "function") throw new TypeError(`hooks.${name} must be a function`);
  }
}

/** Anything else would equal no name of a Host header, and would be ignored. */
const HOST_NAME = /^(?:<ip>|\[[^\s[\]/]+\]|[^\s:/?#@[\]\\*<>]+)$/;

const MAX_DAYS = 36_500;

function hasKind(kind: string, value: unknown): boolean {
  // A string would be treated as a list of its characters.
  if (kind === "list") return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (kind === "object or false") return value === false || hasKind("object", value);
  if (kind === "list or false") return value === false || hasKind("list", value);
  if (kind === "optional or required") return value === "optional" || value === "required";
  if (kind === "days") return typeof value === "number" && value >= 0 && value <= MAX_DAYS;
  if (kind === "count") return Number.isInteger(value) && (value as number) >= 0;
  if (kind === "number") return typeof value === "number" && value > 0;
  if (kind.startsWith("boolean or "))
    return hasKind("boolean", value) || hasKind(kind.slice("boolean or ".length), value);
  if (kind === "storage") return isStorageSource(value);
  if (kind === "quota") return isQuota(value);
  if (kind === "object") return typeof value === "object" && value !== null;
  return typeof value === kind;
}

function isQuota(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).every(([name, limit]) => {
    return (name === "events" || name === "bytes") && (limit === undefined || (Number.isInteger(limit) && limit >= 0));
  });
}

/** The prefix of paths, without a trailing slash. @throws TypeError for an invalid path */
export function parseBasePath(basePath: string | undefined): string | undefined {
  if (basePath === undefined) return undefined;
  if (/^\/[^?#\\]*$/.test(basePath) && !basePath.includes("//")) {
    return new URL(basePath, "http://localhost").pathname.replace(/\/$/, "");
  }
  throw new TypeError(`basePath must be a path like /tracker, got ${JSON.stringify(basePath)}`);
}

/** Whether all paths except info need a key. */
export function isKeyNeeded({ auth, apiKey = "" }: ActivityServerOptions): boolean {
  return auth === "required" || apiKey !== "";
}
