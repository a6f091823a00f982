import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { originPattern } from "../http/origin-pattern.js";
import { isLoopbackHost, parseHost } from "./address.js";
import { type Setting, type Settings, stringSetting } from "./arguments.js";
import { defaultDataFolder } from "./data-folder.js";
import { type KeySource, parseKeySource } from "./encryption-key.js";
import { LaunchError, printable, usageError } from "./launch-error.js";

/** The validated options of the CLI. Paths are absolute. */
export interface LaunchOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** A Unix socket instead of a port; `undefined` for none. */
  readonly socketPath: string | undefined;
  /** Files with the certificate and its key, or a self-signed one; `undefined` for plain HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | "self-made" | undefined;
  readonly testing: boolean;
  readonly storage: (typeof STORAGE_KINDS)[number];
  /** Only set for LevelDB. */
  readonly data: string | undefined;
  /** The key of the data folder; `undefined` for none. */
  readonly encryptionKey: KeySource | undefined;
  /** Only set for PostgreSQL. May contain a password: never shown. */
  readonly databaseUrl: string | undefined;
  readonly namespace: string;
  readonly durability: "process-crash" | "power-loss";
  /** How many days deleted data are kept; `undefined` for the default. */
  readonly trashDays: number | undefined;
  /** Memory for caches; `undefined` = the default. */
  readonly memoryBudgetBytes: number | undefined;
  readonly apiKeyFile: string | undefined;
  /** Whether a key is needed; `undefined`: depends on the API key. */
  readonly auth: "optional" | "required" | undefined;
  readonly insecure: boolean;
  /** Accepts a session cookie without the secret of its page. */
  readonly sessionCookieAlone: boolean;
  /** Allowed Host names in addition to its own, without port. */
  readonly allowedHosts: readonly string[];
  /** Refuses a data folder or a key file that others can read. */
  readonly strictPermissions: boolean;
  readonly cors: readonly string[];
  readonly corsRegex: readonly string[];
  /** The content of `/`: the dashboard, nothing, or a folder. */
  readonly webui: boolean | string;
  /** Serves assistants. */
  readonly mcp: boolean;
  readonly open: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
  /** Shows the URL as a QR code, if other machines can reach it. */
  readonly qr: boolean;
  /** Copies the URL to the clipboard. */
  readonly clipboard: boolean;
  /** Warnings about options without effect. */
  readonly unusedWarnings: readonly string[];
}

/** The values of `--storage`. */
export const STORAGE_KINDS = ["leveldb", "memory", "postgres"] as const;

/** Options without effect, by storage. */
const UNUSED_OPTIONS: Readonly<Record<LaunchOptions["storage"], readonly string[]>> = {
  leveldb: ["namespace"],
  memory: ["data", "durability", "namespace", "encryption-key", "encryption-key-file"],
  postgres: ["data"],
};

const DEFAULT_PORT = 5600;
const TESTING_PORT = 5666;
export const BYTES_PER_MEBIBYTE: number = 1024 * 1024;

export function defaultDurability(storage: LaunchOptions["storage"]): LaunchOptions["durability"] {
  return storage === "postgres" ? "power-loss" : "process-crash";
}

/**
 * Checks everything that needs no disk or socket.
 *
 * @throws LaunchError with exit code 2 for an invalid value, 1 for a refused combination
 */
export function checkOptions(settings: Settings): LaunchOptions {
  const given = (name: string) => stringSetting(settings, name);
  const on = (name: string) => settings.get(name)?.value === true;

  const unusedWarningsFor = (cause: string, names: readonly string[]): string[] =>
    names.flatMap((name) => {
      const setting = settings.get(name);
      return setting === undefined || setting.value === false ? [] : `${setting.source} has no effect with ${cause}`;
    });

  const testing = on("testing");
  const storage = parseChoice(given("storage"), STORAGE_KINDS) ?? "leveldb";
  const data = given("data");
  const socketPath = parsePath(given("socket"));
  const options: LaunchOptions = {
    host: socketPath === undefined ? parseHostSetting(given("host")) : "127.0.0.1",
    port: parsePort(given("port")) ?? (testing ? TESTING_PORT : DEFAULT_PORT),
    socketPath,
    tls: parseTls(settings),
    testing,
    storage,
    data: storage === "leveldb" ? (parsePath(data) ?? defaultDataFolder({ testing })) : undefined,
    encryptionKey: storage === "memory" ? undefined : parseKeySource(settings, parsePath),
    databaseUrl: storage === "postgres" ? parseDatabaseUrl(given("database-url")) : undefined,
    namespace: parseNamespace(given("namespace")),
    durability: parseChoice(given("durability"), ["process-crash", "power-loss"]) ?? defaultDurability(storage),
    trashDays: parseDays(given("trash-days")),
    memoryBudgetBytes: parseMemoryBudget(given("memory-budget")),
    apiKeyFile: parsePath(given("api-key-file")),
    auth: parseChoice(given("auth"), ["optional", "required"]),
    insecure: on("insecure"),
    sessionCookieAlone: on("session-cookie-alone"),
    allowedHosts: parseAllowedHosts(given("allowed-hosts")),
    strictPermissions: on("strict-permissions"),
    cors: parseOrigins(given("cors")),
    corsRegex: parsePatterns(given("cors-regex")),
    webui: parseWebui(given("webui")),
    mcp: on("mcp"),
    open: on("open") && socketPath === undefined,
    verbose: on("verbose"),
    json: on("json"),
    qr: on("qr") && !on("json") && socketPath === undefined,
    clipboard: on("clipboard") && !on("json") && socketPath === undefined,
    unusedWarnings: [
      ...unusedWarningsFor(`${storage} storage`, UNUSED_OPTIONS[storage]),
      ...unusedWarningsFor("--tls-cert", settings.has("tls-cert") ? ["tls"] : []),
      ...unusedWarningsFor("--json", on("json") ? ["qr", "clipboard"] : []),
      ...unusedWarningsFor(
        "a socket",
        socketPath === undefined ? [] : ["host", "port", "open", "qr", "clipboard", "insecure"],
      ),
    ],
  };
  refuseOpenAccess(options);
  refuseDatabaseKey(options);
  return options;
}

/** Keeps a server without a key on this machine. */
function refuseOpenAccess({ host, apiKeyFile, auth, insecure }: LaunchOptions): void {
  if (auth === "optional" && apiKeyFile !== undefined) {
    throw new LaunchError("--auth optional contradicts --api-key-file, which requires a key; leave one of them out");
  }
  if (isLoopbackHost(host) || apiKeyFile !== undefined || auth === "required" || insecure) return;
  throw new LaunchError(
    `other machines could read and change everything on ${host}; require a key with --auth required or ` +
      "--api-key-file FILE, or allow it with --insecure",
  );
}

/** Refuses a requested encryption that would not happen. */
function refuseDatabaseKey({ storage, encryptionKey }: LaunchOptions): void {
  if (storage !== "postgres" || encryptionKey === undefined) return;
  throw new LaunchError("an encryption key only works with a data folder; encrypt a database with its own server");
}

/** @throws LaunchError for one file without the other, and for a Unix socket */
function parseTls(settings: Settings): LaunchOptions["tls"] {
  const given = (name: string) => stringSetting(settings, name);
  const [cert, key] = [given("tls-cert"), given("tls-key")];
  if ((cert === undefined) !== (key === undefined)) {
    const [one, other] = cert === undefined ? [key, "--tls-cert"] : [cert, "--tls-key"];
    throw usageError(`${one?.source} needs ${other} FILE as well`);
  }
  const [certFile, keyFile] = [parsePath(cert), parsePath(key)];
  const files = certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
  const tls = files ?? (settings.get("tls")?.value === true ? "self-made" : undefined);
  if (tls === undefined || !settings.has("socket")) return tls;
  throw new LaunchError("--socket does not support TLS; leave out --tls, because a socket never leaves this machine");
}

function parseHostSetting(setting: Setting<string> | undefined): string {
  if (setting === undefined) return "127.0.0.1";
  const host = parseHost(setting.value);
  if (host === undefined) throw invalidSetting(setting, "a host name or address");
  return host;
}

function parsePort(setting: Setting<string> | undefined): number | undefined {
  if (setting === undefined) return undefined;
  const port = /^\d{1,9}$/.test(setting.value) ? Number(setting.value) : -1;
  if (port < 0 || port > 65_535) throw invalidSetting(setting, "a port (0 to 65535)");
  return port;
}

/** @throws LaunchError with exit code 2 for an invalid number of days */
export function parseDays(setting: Setting<string> | undefined): number | undefined {
  if (setting === undefined) return undefined;
  if (/^\d{1,5}$/.test(setting.value) && Number(setting.value) <= 36_500) return Number(setting.value);
  throw invalidSetting(setting, "a number of days (0 to 36500)");
}

function parseMemoryBudget(setting: Setting<string> | undefined): number | undefined {
  if (setting === undefined) return undefined;
  const mebibytes = /^\d{1,6}$/.test(setting.value) ? Number(setting.value) : 0;
  if (mebibytes > 0) return mebibytes * BYTES_PER_MEBIBYTE;
  throw invalidSetting(setting, "a number of MiB (1 to 999999)");
}

/** @throws LaunchError that does not show it */
export function parseDatabaseUrl(setting: Setting<string> | undefined): string {
  const wanted = "the URL of a database, such as postgres://user:password@host/database";
  if (setting === undefined) throw new LaunchError(`--storage postgres needs ACTIVITY_SERVER_DATABASE_URL, ${wanted}`);
  if (!/^postgres(?:ql)?:\/\//.test(setting.value)) throw usageError(`${setting.source} must be ${wanted}`);
  return setting.value;
}

export function parseNamespace(setting: Setting<string> | undefined): string {
  if (setting === undefined) return "default";
  const { value } = setting;
  if (value.length > 200 || value.includes("\0")) throw invalidSetting(setting, "a name of up to 200 characters");
  return value;
}

/** @throws LaunchError for an unknown word */
export function parseChoice<Word extends string>(
  setting: Setting<string> | undefined,
  words: readonly Word[],
): Word | undefined {
  if (setting === undefined) return undefined;
  const word = words.find((candidate) => candidate === setting.value);
  if (word === undefined) throw invalidSetting(setting, listChoices(words));
  return word;
}

/** `a, b or c` */
function listChoices(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].join(" or ");
}

/** Resolves a path. `~` is the home folder, because shells do not expand it after `--data=` and in variables. */
export function parsePath(setting: Setting<string> | undefined): string | undefined {
  if (setting === undefined) return undefined;
  if (setting.value.includes("\0")) throw invalidSetting(setting, "a path");
  return resolve(setting.value.replace(/^~(?=$|[/\\])/, () => join(homedir())));
}

function parseWebui(setting: Setting<string> | undefined): boolean | string {
  // A folder of that name is `./off`.
  return setting?.value === "off" ? false : (parsePath(setting) ?? true);
}

function parseAllowedHosts(setting: Setting<string> | undefined): string[] {
  if (setting === undefined) return [];
  return setting.value.split(",").map((text) => {
    const host = parseHost(text.trim());
    if (host === undefined) throw invalidSetting({ ...setting, value: text }, "a host name such as desk.example");
    return host.includes(":") ? `[${host}]` : host;
  });
}

function parseOrigins(setting: Setting<string> | undefined): string[] {
  if (setting === undefined) return [];
  const origins = setting.value.split(",").map((text) => text.trim());
  for (const origin of origins) {
    // The form of Origin: scheme, host, optionally a port, and no path.
    if (origin === "*" || /^[a-z][a-z0-9+.-]*:\/\/[^/\s?#@]+$/i.test(origin)) continue;
    throw invalidSetting({ ...setting, value: origin }, "an origin such as http://localhost:3000, without a path");
  }
  return [...new Set(origins)];
}

function parsePatterns(setting: Setting<string> | undefined): string[] {
  const patterns = (setting?.value ?? "").split("\n").map((text) => text.trim());
  return patterns.filter((pattern) => {
    if (pattern === "") return false;
    try {
      return originPattern(pattern) !== undefined;
    } catch {
      throw invalidSetting({ ...(setting as Setting<string>), value: pattern }, "a regular expression");
    }
  });
}

function invalidSetting(setting: Setting<string>, wanted: string): LaunchError {
  return usageError(`${setting.source} must be ${wanted}, got '${printable(setting.value)}'`);
}
