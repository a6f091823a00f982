// The certificate of the CLI's server: chosen files, or a self-signed one.
import { readFile, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { messageOf } from "../errors.js";
import { type CertificateFacts, certificateFacts, type TlsCertificate, type TlsOptions } from "../http/tls.js";
import { isAnyHost, isLoopbackHost, reachableHosts } from "./address.js";
import { certificateFile, createCertificate, isUsableFor, readCertificate, writeCertificate } from "./certificate.js";
import { errorCode, isOpenToOthers, openAccessWarning, quotePath } from "./data-folder.js";
import { machineNames } from "./host-names.js";
import { LaunchError } from "./launch-error.js";
import type { LaunchOptions } from "./options.js";

/** The certificate of a start. */
export interface LaunchTls {
  readonly options: TlsOptions;
  /** The origin of the certificate. */
  readonly kind: "given" | "self-made";
  /** Path of the certificate; `undefined` in memory. */
  readonly file: string | undefined;
  /** A warning if others can read the key file. */
  readonly accessWarning: string | undefined;
  readonly warnings: readonly string[];
  /** Saves a new certificate for the next start. Call it after the data folder was created. */
  keep(): Promise<void>;
}

/**
 * Finds the certificate. Writes nothing: a start that fails leaves no folder behind.
 *
 * @param warn called with a warning when changed files can be read by other users
 * @throws LaunchError for files that cannot be used
 */
export async function prepareTls(
  options: Pick<LaunchOptions, "tls" | "data" | "host" | "allowedHosts" | "strictPermissions">,
  warn: (warning: string) => void,
  clock: () => number = Date.now,
): Promise<LaunchTls> {
  const { tls, data } = options;
  if (tls === undefined) throw new TypeError("this start is without TLS");
  if (typeof tls === "object") return loadTlsFiles(tls, options.strictPermissions, warn);
  const names = certificateNames(options);
  const found = data === undefined ? undefined : await readCertificate(data);
  let current =
    found !== undefined && isUsableFor(found, names, clock()) ? found : await createCertificate(names, clock());
  let isKept = data === undefined || current === found;

  async function keep(): Promise<void> {
    if (isKept || data === undefined) return;
    await writeCertificate(data, current);
    isKept = true;
  }

  return {
    // A server may run for years.
    options: async () => {
      if (isUsableFor(current, [], clock())) return current;
      current = await createCertificate(names, clock());
      isKept = false;
      // The certificate works unsaved; the next start creates another one.
      await keep().catch(() => undefined);
      return current;
    },
    kind: "self-made",
    file: data === undefined ? undefined : certificateFile(data),
    accessWarning: undefined,
    warnings: [],
    keep,
  };
}

/** Chosen certificate files. */
interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

async function loadTlsFiles(files: TlsFiles, isStrict: boolean, warn: (warning: string) => void): Promise<LaunchTls> {
  const { certFile, keyFile } = files;
  const facts = checkCertificate(await readTlsFiles(files), `${quotePath(certFile)} and ${quotePath(keyFile)}`);
  const accessWarning = await keyFileWarning(keyFile);
  let wasOpen = accessWarning !== undefined;

  /** Checks permissions again as well, because a tool that renews certificates may create files with other modes. */
  async function reload(): Promise<TlsCertificate> {
    const found = await readTlsFiles(files);
    const warning = await keyFileWarning(keyFile);
    if (warning !== undefined && isStrict) throw new LaunchError(`${warning} (--strict-permissions)`);
    if (warning !== undefined && !wasOpen) warn(warning);
    wasOpen = warning !== undefined;
    return found;
  }

  return {
    options: reload,
    kind: "given",
    file: certFile,
    accessWarning,
    warnings: facts.expires.getTime() < Date.now() ? [`the certificate ${quotePath(certFile)} has expired`] : [],
    keep: async () => undefined,
  };
}

async function keyFileWarning(keyFile: string): Promise<string | undefined> {
  const { mode } = await stat(keyFile);
  return isOpenToOthers(mode) ? openAccessWarning("TLS key file", keyFile, 600) : undefined;
}

async function readTlsFiles({ certFile, keyFile }: TlsFiles): Promise<TlsCertificate> {
  return { cert: await readTlsFile("certificate", certFile), key: await readTlsFile("TLS key", keyFile) };
}

async function readTlsFile(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new LaunchError(`the ${what} file ${quotePath(file)} cannot be read (${errorCode(error)})`);
  }
}

function checkCertificate(certificate: TlsCertificate, files: string): CertificateFacts {
  try {
    return certificateFacts(certificate);
  } catch (error) {
    throw new LaunchError(`${files} cannot be used: ${messageOf(error)}`);
  }
}

/** The known names of the server. */
export function certificateNames(
  { host, allowedHosts }: Pick<LaunchOptions, "host" | "allowedHosts">,
  machine: string = hostname(),
): string[] {
  const own = isLoopbackHost(host) ? [] : machineNames(machine);
  const bound = isAnyHost(host) ? reachableHosts(host) : [host];
  const listed = allowedHosts.map((name) => name.replace(/^\[(.*)\]$/, "$1"));
  return [...new Set(["localhost", "127.0.0.1", "::1", ...bound, ...own, ...listed])];
}
