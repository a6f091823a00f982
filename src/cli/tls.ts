// What the launcher proves itself with over TLS: files that were given, or a certificate of its own.
import { readFile, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { messageOf } from "../errors.js";
import { type CertificateFacts, certificateFacts, type TlsCertificate, type TlsOptions } from "../http/tls.js";
import { isAnyHost, isLoopbackHost, reachableHosts } from "./address.js";
import { certificateFile, makeCertificate, readCertificate, serves, writeCertificate } from "./certificate.js";
import { codeOf, openToOthers, quoted, readableByOthers } from "./data-folder.js";
import { machineNames } from "./host-names.js";
import { LaunchError } from "./launch-error.js";
import type { LaunchOptions } from "./options.js";

/** The certificate of a start. */
export interface LaunchTls {
  readonly options: TlsOptions;
  /** Who made the certificate. */
  readonly kind: "given" | "self-made";
  /** Where it is; `undefined` = in memory. */
  readonly file: string | undefined;
  /** What is worth a warning of files that were given: that others can read the key, and anything else. */
  readonly accessWarning: string | undefined;
  readonly warnings: readonly string[];
  /** To be called when the data folder exists: keeps what was made for the next start. */
  keep(): Promise<void>;
}

/**
 * Finds the certificate. Writes nothing: a start that fails leaves no folder behind.
 *
 * @param warn told of given files that others can read, when they have changed
 * @throws LaunchError for files that cannot be used
 */
export async function findTls(
  options: Pick<LaunchOptions, "tls" | "data" | "host" | "allowedHosts" | "strictPermissions">,
  warn: (warning: string) => void,
  clock: () => number = Date.now,
): Promise<LaunchTls> {
  const { tls, data } = options;
  if (tls === undefined) throw new TypeError("this start is without TLS");
  if (typeof tls === "object") return givenTls(tls, options.strictPermissions, warn);
  const names = certificateNames(options);
  const found = data === undefined ? undefined : await readCertificate(data);
  let current = found !== undefined && serves(found, names, clock()) ? found : await makeCertificate(names, clock());
  let isKept = data === undefined || current === found;

  async function keep(): Promise<void> {
    if (isKept || data === undefined) return;
    await writeCertificate(data, current);
    isKept = true;
  }

  return {
    // A server may run for years.
    options: async () => {
      if (serves(current, [], clock())) return current;
      current = await makeCertificate(names, clock());
      isKept = false;
      // It serves either way; the next start would make another one.
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

/** The files that somebody gave. */
interface GivenFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

async function givenTls(files: GivenFiles, isStrict: boolean, warn: (warning: string) => void): Promise<LaunchTls> {
  const { certFile, keyFile } = files;
  const facts = checked(await readBoth(files), `${quoted(certFile)} and ${quoted(keyFile)}`);
  const accessWarning = await warningOf(keyFile);
  let wasOpen = accessWarning !== undefined;

  /** Looks at the rights again, too: what renews a certificate may make other files than people do. */
  async function readAgain(): Promise<TlsCertificate> {
    const found = await readBoth(files);
    const warning = await warningOf(keyFile);
    if (warning !== undefined && isStrict) throw new LaunchError(`${warning} (--strict-permissions)`);
    if (warning !== undefined && !wasOpen) warn(warning);
    wasOpen = warning !== undefined;
    return found;
  }

  return {
    options: readAgain,
    kind: "given",
    file: certFile,
    accessWarning,
    warnings: facts.expires.getTime() < Date.now() ? [`the certificate ${quoted(certFile)} has expired`] : [],
    keep: async () => undefined,
  };
}

async function warningOf(keyFile: string): Promise<string | undefined> {
  const { mode } = await stat(keyFile);
  return openToOthers(mode) ? readableByOthers("TLS key file", keyFile, 600) : undefined;
}

async function readBoth({ certFile, keyFile }: GivenFiles): Promise<TlsCertificate> {
  return { cert: await readGiven("certificate", certFile), key: await readGiven("TLS key", keyFile) };
}

async function readGiven(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new LaunchError(`the ${what} file ${quoted(file)} cannot be read (${codeOf(error)})`);
  }
}

function checked(certificate: TlsCertificate, files: string): CertificateFacts {
  try {
    return certificateFacts(certificate);
  } catch (error) {
    throw new LaunchError(`${files} cannot be used: ${messageOf(error)}`);
  }
}

/** The names that the server is reached by, as far as it can know. */
export function certificateNames(
  { host, allowedHosts }: Pick<LaunchOptions, "host" | "allowedHosts">,
  machine: string = hostname(),
): string[] {
  const own = isLoopbackHost(host) ? [] : machineNames(machine);
  const bound = isAnyHost(host) ? reachableHosts(host) : [host];
  const listed = allowedHosts.map((name) => name.replace(/^\[(.*)\]$/, "$1"));
  return [...new Set(["localhost", "127.0.0.1", "::1", ...bound, ...own, ...listed])];
}
