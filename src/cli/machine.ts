// The machine of the server, as the dashboard shows it to its owner: commands, addresses, databases to import.
import { ActivityError, mustBe } from "../errors.js";
import type { Machine } from "../http/machine.js";
import { formatUrl, isLoopbackHost, reachableHosts } from "./address.js";
import { defaultDataFolder, quoteForShell, sizeOnDisk } from "./data-folder.js";
import type { FoundDatabase } from "./import/find-databases.js";
import type { RunningImport } from "./import/run-import.js";
import type { LaunchOptions } from "./options.js";

/** The machine of a running CLI. */
export interface LaunchMachine extends Machine {
  /** Ends a running import. Events imported so far are kept. */
  stop(): Promise<void>;
}

type Options = Omit<LaunchOptions, "open" | "verbose" | "json" | "qr" | "clipboard" | "unusedWarnings">;

/** @param port the bound one */
export function createMachine(options: Options, port: number): LaunchMachine {
  const { apiKeyFile, data, host, socketPath, testing, tls } = options;
  const flags = dataFlags(options);
  const isShared = socketPath === undefined && !isLoopbackHost(host);
  const shared = ["activity-server", "--host", "0.0.0.0", ...(apiKeyFile === undefined ? ["--auth", "required"] : [])];
  const imports = new Map<string, RunningImport>();

  /** Only for a data folder: the command to import finds this server by the folder. */
  async function listDatabases(): Promise<readonly FoundDatabase[]> {
    if (data === undefined) return [];
    const { findDatabases } = await import("./import/find-databases.js");
    return (await findDatabases()).filter(({ isTesting }) => isTesting === testing);
  }

  return {
    publicFlags: data === undefined || isDefaultFolder(options) ? joinWords(flags) : "--data FOLDER",
    async describe() {
      const databases = await listDatabases();
      return {
        flags: joinWords(flags),
        share:
          isShared || socketPath !== undefined ? null : joinWords([...shared, ...serverFlags(options, port), ...flags]),
        urls: isShared ? otherUrls(host, port, tls === undefined ? "http" : "https") : [],
        bytes: data === undefined ? null : await sizeOnDisk(data),
        databases: databases.map(({ file, size, written }) => {
          const { progress = null } = imports.get(file) ?? {};
          return { file, bytes: size, written: new Date(written).toISOString(), import: progress };
        }),
      };
    },
    async importDatabase(file) {
      const isFound = (await listDatabases()).some((found) => found.file === file);
      if (data === undefined || !isFound) throw mustBe("file", "a database that GET /api/0/machine lists", file);
      const { runImport } = await import("./import/run-import.js");
      const running = [...imports].find(([, { progress }]) => progress.state === "running");
      if (running === undefined) imports.set(file, runImport(file, data));
      else if (running[0] !== file) throw new ActivityError("BUSY", "another import is running; wait for its end");
    },
    async stop() {
      await Promise.all([...imports.values()].map((running) => running.stop()));
    },
  };
}

function isDefaultFolder({ data, testing }: Options): boolean {
  return data === defaultDataFolder({ testing });
}

/** The flags with which every command finds the same data. */
function dataFlags(options: Options): string[] {
  const { data, namespace, storage, testing } = options;
  return [
    ...(testing ? ["--testing"] : []),
    ...(data === undefined || isDefaultFolder(options) ? [] : ["--data", data]),
    ...(storage === "postgres" ? ["--storage", storage] : []),
    ...(storage === "postgres" && namespace !== "default" ? ["--namespace", namespace] : []),
  ];
}

function serverFlags({ apiKeyFile, encryptionKey, storage, tls }: Options, port: number): string[] {
  return [
    ...["--port", String(port)],
    ...(tls === "self-made" ? ["--tls"] : []),
    ...(typeof tls === "object" ? ["--tls-cert", tls.certFile, "--tls-key", tls.keyFile] : []),
    ...(apiKeyFile === undefined ? [] : ["--api-key-file", apiKeyFile]),
    ...(encryptionKey?.file === undefined ? [] : ["--encryption-key-file", encryptionKey.file]),
    ...(storage === "memory" ? ["--storage", storage] : []),
  ];
}

function otherUrls(host: string, port: number, scheme: "http" | "https"): string[] {
  const others = reachableHosts(host).filter((name) => !isLoopbackHost(name));
  return others.map((name) => formatUrl(name, port, scheme));
}

function joinWords(words: readonly string[]): string {
  return words.map(quoteForShell).join(" ");
}
