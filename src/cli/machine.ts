// The machine of the server, as the dashboard shows it to its owner: commands, addresses, databases to import.
import type { ImportableDatabase } from "../domain/machine.js";
import { ActivityError, mustBe, serverClosed } from "../errors.js";
import type { Machine } from "../http/machine.js";
import { formatUrl, isLoopbackHost, reachableHosts } from "./address.js";
import { defaultDataFolder, quoteForShell, sizeOnDisk } from "./data-folder.js";
import type { FoundDatabase } from "./import/find-databases.js";
import type { RunningImport } from "./import/run-import.js";
import { BYTES_PER_MEBIBYTE, defaultDurability, type LaunchOptions } from "./options.js";
import { hasOtherUsers } from "./other-users.js";

/** The machine of a running CLI. */
export interface LaunchMachine extends Machine {
  /** Ends a running import. Events imported so far are kept. */
  stop(): Promise<void>;
}

/** The arguments of a command, by the option that needs them. */
type Arguments<Name extends keyof LaunchOptions> = Readonly<Record<Name, readonly string[]>>;

/** @param port the bound one */
export function createMachine(options: LaunchOptions, port: number): LaunchMachine {
  const { data, host, socketPath, testing, tls } = options;
  const flags = joinArguments(dataArguments(options));
  const hasSocket = socketPath !== undefined;
  const isShared = !hasSocket && !isLoopbackHost(host);
  const imports = new Map<string, RunningImport>();
  let isStopped = false;

  /** Only for a data folder: the command to import finds this server by the folder. */
  async function listDatabases(): Promise<readonly FoundDatabase[]> {
    if (data === undefined) return [];
    const { findDatabases } = await import("./import/find-databases.js");
    return (await findDatabases()).filter(({ isTesting }) => isTesting === testing);
  }

  function describeDatabase({ file, size, written }: FoundDatabase): ImportableDatabase {
    const { progress = null } = imports.get(file) ?? {};
    return { file, bytes: size, written: new Date(written).toISOString(), import: progress };
  }

  return {
    publicFlags: joinArguments(dataArguments(options, { data: "FOLDER", namespace: "NAME" })),
    hasSocket,
    hasOtherUsers,
    async describe() {
      const databases = await listDatabases();
      return {
        flags,
        share: isShared || hasSocket ? null : `activity-server ${joinArguments(shareArguments(options, port))}`,
        urls: isShared ? otherUrls(host, port, tls === undefined ? "http" : "https") : [],
        bytes: data === undefined ? null : await sizeOnDisk(data),
        databases: databases.map(describeDatabase),
      };
    },
    async importDatabase(file) {
      const isFound = (await listDatabases()).some((found) => found.file === file);
      if (data === undefined || !isFound) throw mustBe("file", "a database that GET /api/0/machine lists", file);
      const { runImport } = await import("./import/run-import.js");
      // Nothing would end an import that starts now.
      if (isStopped) throw serverClosed();
      const running = [...imports].find(([, { progress }]) => progress.state === "running");
      if (running === undefined) imports.set(file, runImport(file, data));
      else if (running[0] !== file) throw new ActivityError("BUSY", "another import is running; wait for its end");
    },
    async stop() {
      isStopped = true;
      await Promise.all([...imports.values()].map((running) => running.stop()));
    },
  };
}

/**
 * The arguments with which every command finds the same data.
 *
 * @param shown names for a private folder and namespace
 */
function dataArguments(
  { data, namespace, storage, testing }: LaunchOptions,
  shown: { readonly data?: string; readonly namespace?: string } = {},
): Arguments<"testing" | "data" | "storage" | "namespace"> {
  const isOwnFolder = data !== undefined && data !== defaultDataFolder({ testing });
  const isOwnNamespace = storage === "postgres" && namespace !== "default";
  return {
    testing: toSwitch("testing", testing),
    data: toFlag("data", isOwnFolder ? (shown.data ?? data) : undefined),
    storage: toFlag("storage", storage === "postgres" ? storage : undefined),
    namespace: toFlag("namespace", isOwnNamespace ? (shown.namespace ?? namespace) : undefined),
  };
}

/**
 * The arguments that start this server for other devices, with a required key. All its other settings stay: without
 * `--trash-days`, for example, a restart would delete older entries. Secrets stay in their files and variables.
 */
function shareArguments(options: LaunchOptions, port: number): Arguments<keyof LaunchOptions> {
  const { apiKeyFile, durability, encryptionKey, memoryBudgetBytes, storage, tls, trashDays, webui } = options;
  const files = typeof tls === "object" ? tls : undefined;
  const mebibytes = memoryBudgetBytes === undefined ? undefined : memoryBudgetBytes / BYTES_PER_MEBIBYTE;
  return {
    host: toFlag("host", "0.0.0.0"),
    auth: toFlag("auth", apiKeyFile === undefined ? "required" : undefined),
    port: toFlag("port", port),
    tls: [
      ...toSwitch("tls", tls === "self-made"),
      ...toFlag("tls-cert", files?.certFile),
      ...toFlag("tls-key", files?.keyFile),
    ],
    apiKeyFile: toFlag("api-key-file", apiKeyFile),
    encryptionKey: toFlag("encryption-key-file", encryptionKey?.file),
    ...dataArguments(options),
    storage: toFlag("storage", storage === "leveldb" ? undefined : storage),
    durability: toFlag("durability", durability === defaultDurability(storage) ? undefined : durability),
    trashDays: toFlag("trash-days", trashDays),
    memoryBudgetBytes: toFlag("memory-budget", mebibytes),
    cors: toFlag("cors", options.cors.join(",") || undefined),
    corsRegex: options.corsRegex.flatMap((pattern) => toFlag("cors-regex", pattern)),
    allowedHosts: toFlag("allowed-hosts", options.allowedHosts.join(",") || undefined),
    sessionCookieAlone: toSwitch("session-cookie-alone", options.sessionCookieAlone),
    strictPermissions: toSwitch("strict-permissions", options.strictPermissions),
    webui: toFlag("webui", webui === false ? "off" : webui === true ? undefined : webui),
    mcp: toSwitch("mcp", options.mcp),
    // A required key replaces it.
    insecure: [],
    // Other devices cannot reach a socket.
    socketPath: [],
    // Only given as a variable, because it may contain a password.
    databaseUrl: [],
    // For the terminal of this start only.
    open: [],
    verbose: [],
    json: [],
    qr: [],
    clipboard: [],
    unusedWarnings: [],
  };
}

function toFlag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`--${name}`, String(value)];
}

function toSwitch(name: string, isOn: boolean): readonly string[] {
  return isOn ? [`--${name}`] : [];
}

function joinArguments(byOption: Readonly<Record<string, readonly string[]>>): string {
  return Object.values(byOption)
    .flat()
    .map((argument) => quoteForShell(argument))
    .join(" ");
}

function otherUrls(host: string, port: number, scheme: "http" | "https"): string[] {
  const others = reachableHosts(host).filter((name) => !isLoopbackHost(name));
  return others.map((name) => formatUrl(name, port, scheme));
}
