import type { ApiBrowserPage } from "./http/api-browser.js";
import type { Authorize } from "./http/authorize.js";
import { checkDashboardOptions, type DashboardOptions } from "./http/dashboard-options.js";
import type { Logger } from "./logger.js";
import type { QueryLimitsInput } from "./query/budget.js";
import { HOOK_NAMES, type WriteHooks } from "./service/hooks.js";
import type { QuotaOptions } from "./service/quota.js";
import { isStorageSource, type StorageSource } from "./storage/lazy-storage.js";

/**
 * How a server behaves. Everything but `storage` has a default.
 *
 * @typeParam Identity what `authorize` says of who asks; hooks and listeners get it
 * @typeParam Context what your app passes with requests; `authorize` and hooks get it
 */
export interface ActivityServerOptions<Identity extends object = object, Context = never> {
  /**
   * Where buckets, events, settings and the device id live: a storage, a promise of one, or a function that gives
   * either. The function is called once, when the storage is first needed; a failed call is tried again. The server
   * opens the storage when it is first needed, and closes it in `close()`.
   */
  readonly storage: StorageSource;
  /**
   * Gets a line for each error of the server and of your hooks, listeners and `authorize`. `console` and pino loggers
   * fit; `false` reports nothing.
   * @default errors with their stacks to `console.error`, without warnings
   */
  readonly logger?: Logger | false | undefined;
  /** Now, in Unix milliseconds: the creation time of buckets that bring none. @default Date.now */
  readonly clock?: (() => number) | undefined;
  /** What info reports, and what a bucket's hostname `!local` becomes. @default the machine's host name */
  readonly hostname?: string | undefined;
  /** Buckets can be deleted without `force=1`, and origins of the web UI in development are trusted. @default false */
  readonly testing?: boolean | undefined;
  /**
   * Names that a Host header may hold, without port, beside the bound address of a socket without TLS; `false` switches
   * the check off. The check is what keeps a foreign page from reaching the server under a name of its own (DNS
   * rebinding).
   * @default the loopback names and the bound address while the socket is bound to loopback, otherwise no check
   */
  readonly allowedHosts?: readonly string[] | false | undefined;
  /**
   * Believe X-Forwarded-Host and X-Forwarded-Proto. Only for servers that are reached through a proxy which sets them.
   * Without `allowedHosts`, the forwarded host must be a loopback name or the bound address. With `false` it may be
   * any, but pages of a public name are the server's own only where `allowedHosts` lists it.
   * @default false
   */
  readonly trustProxy?: boolean | undefined;
  /** Origins whose pages may call everything, as browsers send them; `*` = all. @default [] */
  readonly cors?: readonly string[] | undefined;
  /** Regular expressions for such origins; each must match the whole origin. @default [] */
  readonly corsRegex?: readonly string[] | undefined;
  /**
   * An admin key. Every path under `/api/` but info then needs `Authorization: Bearer <key>`, with this key or one of
   * those that the storage holds. Empty = none.
   * @default none
   */
  readonly apiKey?: string | undefined;
  /**
   * Whether every path under `/api/` but info needs a key (docs/keys.md): `required`, or `optional`, where a request
   * without one may do everything, and one that is presented must be right.
   * @default "required" with an `apiKey`, else "optional"
   */
  readonly auth?: "optional" | "required" | undefined;
  /**
   * Opens everything like `apiKey`, without asking for a key from anybody else. By it, or by the key, the tools of the
   * operator prove themselves: they back up and verify the storage through the API (docs/operations.md). Should be
   * long, random, and new at every start. Empty = none.
   * @default none
   */
  readonly controlToken?: string | undefined;
  /**
   * Let the cookie of a session open everything without the secret of its page, for a web UI that cannot send it. The
   * risk: cookies reach every port of a host, so a server of another user of this machine can collect this one when the
   * browser visits it, and use it from then on (docs/security.md#sessions).
   * @default false
   */
  readonly sessionCookieAlone?: boolean | undefined;
  /**
   * Lets the embedder decide about each request, by a session of its own for example. Called after the rules above, for
   * everything but preflights.
   * @default everything that the rules let pass is allowed
   */
  readonly authorize?: Authorize<Identity, Context> | undefined;
  /** What the embedder does with writes before they happen. @default none */
  readonly hooks?: WriteHooks<Identity, Context> | undefined;
  /**
   * How many days what was deleted can be restored (docs/trash.md); 0: it is gone at once.
   * @default 30
   */
  readonly trashDays?: number | undefined;
  /** Most that the storage may contain; a write over it gets 507, and deletions stay possible. @default no limit */
  readonly quota?: QuotaOptions | undefined;
  /**
   * Removes expired trash entries and applies the retention rules every hour, from the first request or call on, as
   * `listen()` does. For apps that mount the server and never call `listen()`.
   * @default false
   */
  readonly maintain?: boolean | undefined;
  /** Largest request body in bytes; above it 413. @default 32 MiB */
  readonly bodyLimitBytes?: number | undefined;
  /** Largest import in bytes; above it 413. @default 1 GiB */
  readonly importLimitBytes?: number | undefined;
  /** What a query may use up before it is ended with 503. @default a minute, 50 million events, 512 MiB */
  readonly queryLimits?: QueryLimitsInput | undefined;
  /**
   * The prefix that the embedder leaves on the paths of requests, such as `/tracker`. One that takes it off, as Express
   * does, needs nothing. Paths without the prefix are understood, too.
   * @default none
   */
  readonly basePath?: string | undefined;
  /**
   * Send pages and their files compressed by `fetch` and `app` as well. Only where what calls these keeps the header
   * `content-encoding`, which Next, for one, does not. `nodeHandler` and `listen()` always do.
   * @default false
   */
  readonly precompressed?: boolean | undefined;
  /**
   * The API browser at `/api/`; `false` for none, or what makes a page of the embedder's own. Nothing of it is loaded
   * before somebody opens it.
   * @default true
   */
  readonly apiBrowser?: boolean | ApiBrowserPage | undefined;
  /**
   * What stands at `/`, beside the API: `true` the dashboard, `false` nothing, or the path of a folder with the built
   * files of another web UI. Nothing of it is loaded before somebody opens it.
   * @default true
   */
  readonly webui?: boolean | string | undefined;
  /** How the dashboard looks in your app: title, link back, hidden views, language, frames. @default as by itself */
  readonly dashboard?: DashboardOptions | undefined;
}

/** What each option is, to be told apart from errors; a misspelt one could leave the server open. */
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
  queryLimits: "object",
  basePath: "string",
  precompressed: "boolean",
  apiBrowser: "boolean or function",
  webui: "boolean or string",
  dashboard: "object",
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
  "boolean or string": "true, false or a text",
  number: "a number of bytes above 0",
  days: "a number of days, 0 for none,",
  list: "a list of texts",
  "list or false": "a list of texts, or false,",
  quota: "{ events, bytes }, each an integer from 0,",
};

/** @throws TypeError for options that cannot work */
export function checkOptions(options: ActivityServerOptions): void {
  if (!isStorageSource(options?.storage)) {
    throw new TypeError("createActivityServer needs a storage, e.g. memory() or leveldb({ path })");
  }
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name as keyof ActivityServerOptions] : undefined;
    if (kind === undefined)
      throw new TypeError(`there is no option ${name}; there are ${Object.keys(KINDS).join(", ")}`);
    if (value !== undefined && !isOf(kind, value)) {
      throw new TypeError(`${name} is ${String(value)}; ${EXPECTED[kind]} is expected`);
    }
  }
  if (options.auth === "optional" && options.apiKey !== undefined && options.apiKey !== "") {
    throw new TypeError('an apiKey is always demanded; leave out auth: "optional", or use server.keys instead');
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
      throw new TypeError(`logger has no method ${method}; console or a pino logger is expected`);
    }
  }
  for (const [name, hook] of Object.entries(options.hooks ?? {})) {
    if (!(HOOK_NAMES as readonly string[]).includes(name)) {
      throw new TypeError(`there is no hook ${name}; there are ${HOOK_NAMES.join(", ")}`);
    }
    if (hook !== undefined && typeof hook !== "function") throw new TypeError(`the hook ${name} is no function`);
  }
}

/** Anything else would equal no name of a Host header, and would be ignored. */
const HOST_NAME = /^(?:<ip>|\[[^\s[\]/]+\]|[^\s:/?#@[\]\\*<>]+)$/;

const MOST_DAYS = 36_500;

function isOf(kind: string, value: unknown): boolean {
  // A text would be taken for the list of its characters.
  if (kind === "list") return Array.isArray(value) && value.every((item) => typeof item === "string");
  if (kind === "object or false") return value === false || isOf("object", value);
  if (kind === "list or false") return value === false || isOf("list", value);
  if (kind === "optional or required") return value === "optional" || value === "required";
  if (kind === "days") return typeof value === "number" && value >= 0 && value <= MOST_DAYS;
  if (kind === "number") return typeof value === "number" && value > 0;
  if (kind.startsWith("boolean or ")) return isOf("boolean", value) || isOf(kind.slice("boolean or ".length), value);
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

/** As it stands in paths, without its trailing slash. @throws TypeError for what is no path */
export function basePathOf(basePath: string | undefined): string | undefined {
  if (basePath === undefined) return undefined;
  if (/^\/[^?#\\]*$/.test(basePath) && !basePath.includes("//")) {
    return new URL(basePath, "http://localhost").pathname.replace(/\/$/, "");
  }
  throw new TypeError(`basePath is ${JSON.stringify(basePath)}; a path like /tracker is expected`);
}
