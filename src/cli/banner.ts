import { isAnyHost, isLoopbackHost, listUrls } from "./address.js";
import { formatBytes, quoteForShell } from "./data-folder.js";
import type { ApiKey } from "./option-files.js";
import type { LaunchOptions } from "./options.js";
import type { Output } from "./output.js";

/** Facts about a server that has just started; the fields of the JSON line. */
export interface ServerFacts {
  readonly product: string;
  readonly version: string;
  /** The URL to use from this machine. */
  readonly url: string;
  readonly urls: readonly string[];
  readonly host: string;
  readonly port: number;
  /** The Unix socket instead of a port; null without one. */
  readonly socket: string | null;
  /** null for plain HTTP. */
  readonly tls: TlsFacts | null;
  readonly pid: number;
  /** The data folder; null in memory. */
  readonly data: string | null;
  /** Whether the data folder is encrypted. */
  readonly encrypted: boolean;
  readonly storage: string;
  readonly durability: string;
  /** null in memory. */
  readonly sizeBytes: number | null;
  readonly buckets: number;
  /** The protection from other users: the server is unreachable for them, an API key file, created keys, or none. */
  readonly protection: "loopback" | "socket" | "api-key" | "keys" | "insecure";
  /** Number of keys in the storage. */
  readonly keys: number;
  /** Origins allowed by flags, in addition to the server's own pages. */
  readonly origins: readonly string[];
  readonly originPatterns: readonly string[];
  readonly testing: boolean;
  /** A command to try next. */
  readonly next: string;
}

/** Facts about the certificate. */
export interface TlsFacts {
  readonly certificate: "given" | "self-made";
  /** SHA-256. */
  readonly fingerprint: string;
  /** ISO 8601. */
  readonly expires: string;
  /** null in memory. */
  readonly file: string | null;
}

export interface MeasuredFacts {
  readonly version: string;
  /** URL of the socket, with its bound name or address. */
  readonly url: string;
  readonly port: number;
  readonly tls: TlsFacts | null;
  readonly storage: string;
  readonly durability: string;
  readonly sizeBytes: number | null;
  readonly buckets: number;
  readonly keys: number;
}

/** Collects the facts of a start. */
export function gatherFacts(options: LaunchOptions, apiKey: ApiKey | undefined, measured: MeasuredFacts): ServerFacts {
  const { host, testing, data, cors, corsRegex, auth, socketPath } = options;
  const { tls } = measured;
  const all = isAnyHost(host) ? listUrls(host, measured.port, tls === null ? "http" : "https") : [measured.url];
  const urls = socketPath === undefined ? all : [];
  const url = urls[0] ?? measured.url;
  const unreachableProtection = socketPath === undefined ? "loopback" : "socket";
  const open = isLoopbackHost(host) ? unreachableProtection : "insecure";
  const protection = apiKey !== undefined ? "api-key" : auth === "required" ? "keys" : open;
  const key = protection === "keys" ? "<key>" : apiKey?.shell;
  const authorization = key === undefined ? [] : [`-H "Authorization: Bearer ${key}"`];
  return {
    product: "activity-server",
    version: measured.version,
    url,
    urls,
    host,
    port: measured.port,
    socket: socketPath ?? null,
    tls,
    pid: process.pid,
    data: data ?? null,
    encrypted: options.encryptionKey !== undefined,
    storage: measured.storage,
    durability: measured.durability,
    sizeBytes: measured.sizeBytes,
    buckets: measured.buckets,
    protection,
    keys: measured.keys,
    origins: cors,
    originPatterns: corsRegex,
    testing,
    next: ["curl", ...curlOptions(socketPath, tls), ...authorization, `${url}/api/0/buckets/`].join(" "),
  };
}

/** The curl options for a server that is not reachable by its URL only. */
function curlOptions(socketPath: string | undefined, tls: TlsFacts | null): string[] {
  if (socketPath !== undefined) return ["--unix-socket", quoteForShell(socketPath)];
  if (tls?.certificate !== "self-made") return [];
  return tls.file === null ? ["--insecure"] : ["--cacert", quoteForShell(tls.file)];
}

const DURABILITY_NOTES: Readonly<Record<string, string>> = {
  nothing: "gone when the server ends",
  "process-crash": "survives a process crash",
  "power-loss": "survives a power loss",
};

type Row = [label: string, ...lines: string[]];

/** Prints the facts as text. */
export function formatFacts(facts: ServerFacts, apiKeyFile: string | undefined, paint: Output["paint"]): string {
  const rows: Row[] = [
    ["Listening", ...(facts.socket === null ? facts.urls : [facts.socket])],
    ...(facts.tls === null ? [] : [["TLS", ...describeTls(facts.tls)] satisfies Row]),
    ["Data", ...describeData(facts)],
    ["Protection", describeProtection(facts, apiKeyFile, paint), describeOrigins(facts)],
    ["Try", facts.next],
  ];
  const title = `${facts.product} ${facts.version}${facts.testing ? " (testing mode)" : ""}`;
  const bold = (text: string) => paint(1, text);
  const dim = (text: string) => paint(2, text);
  const lines = rows.flatMap(([label, ...texts]) =>
    texts.map((text, index) => `  ${dim((index === 0 ? label : "").padEnd(12))}${text}`),
  );
  return ["", bold(title), "", ...lines, ""].join("\n");
}

function describeData({ data, encrypted, storage, durability, sizeBytes, buckets }: ServerFacts): string[] {
  const count = buckets === 1 ? "1 bucket" : `${buckets} buckets`;
  const size = sizeBytes === null ? "" : `${formatBytes(sizeBytes)}, `;
  const survives = DURABILITY_NOTES[durability] ?? durability;
  const details = `${storage}, ${encrypted ? "encrypted, " : ""}${size}${count}, ${survives}`;
  return data === null ? [details] : [data, details];
}

function describeTls({ certificate, fingerprint, expires, file }: TlsFacts): string[] {
  const whose = certificate === "given" ? "certificate of" : "self-made certificate in";
  const until = expires.slice(0, 10);
  return [`${whose} ${file ?? "memory"}, valid until ${until}`, `SHA-256 ${fingerprint}`];
}

function describeProtection(
  { protection, host, keys, socket }: ServerFacts,
  apiKeyFile: string | undefined,
  paint: Output["paint"],
): string {
  const reach =
    socket !== null ? "this user only" : isLoopbackHost(host) ? "this machine only" : "open to other machines";
  if (protection === "api-key") return `${reach}, API key from ${apiKeyFile}`;
  if (protection === "keys") return `${reach}, ${keys === 1 ? "1 key" : `${keys} keys`}, and a key is required`;
  const isClosed = protection === "loopback" || protection === "socket";
  return isClosed ? `${reach}, no API key` : paint(31, `NONE: ${reach}, no API key`);
}

function describeOrigins({ origins, originPatterns }: ServerFacts): string {
  const allowed = [
    "own pages, watcher extensions",
    ...origins.map((origin) => (origin === "*" ? "ANY web page (*)" : origin)),
  ];
  return `browsers: ${[...allowed, ...originPatterns.map((pattern) => `/${pattern}/`)].join(", ")}`;
}
