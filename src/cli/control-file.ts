import { randomBytes } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { nodeFetch } from "../client/node-fetch.js";
import { serverProof } from "../http/control-proof.js";
import type { CertificateFacts } from "../http/tls.js";
import { randomSecret } from "../util/random-secret.js";
import { isOpenToOthers } from "./data-folder.js";
import { writePrivateFile } from "./private-file.js";

/** The file in the data folder with the address of the running server. */
export const CONTROL_FILE = "server.json";

/** How the owner's tools reach a running server. */
export interface Control {
  /** `http://127.0.0.1:5600` */
  readonly address: string;
  /** SHA-256 of the certificate of an `https` address. */
  readonly fingerprint?: string | undefined;
  /** The Unix socket of the address. */
  readonly socketPath?: string | undefined;
  /** The secret with which server and tools prove themselves to each other; the tools never send it. */
  readonly token: string;
  readonly pid: number;
}

/** The file of a server's run. Without a folder there is no file, and the methods do nothing. */
export interface ControlFile {
  /** A random secret. */
  readonly token: string;
  /** The certificate in use. */
  readonly certificate: CertificateFacts | undefined;
  /** Records the current certificate, also in an existing file. */
  useCertificate(facts: CertificateFacts): void;
  write(place: Pick<Control, "address" | "socketPath">): Promise<void>;
  /** Removes the file, if it still belongs to this run. */
  remove(): Promise<void>;
}

export function createControlFile(folder: string | undefined): ControlFile {
  const token = randomBytes(32).toString("base64url");
  let certificate: CertificateFacts | undefined;
  let place: Pick<Control, "address" | "socketPath"> | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (folder === undefined || place === undefined) return;
    const control: Control = { ...place, token, pid: process.pid, fingerprint: certificate?.fingerprint };
    await writePrivateFile(join(folder, CONTROL_FILE), `${JSON.stringify(control)}\n`);
  }

  return {
    token,
    get certificate() {
      return certificate;
    },
    useCertificate(facts) {
      certificate = facts;
      // Without it, the tools report that no trusted server responds.
      writing = writing.then(write).catch(() => undefined);
    },
    write(given) {
      place = given;
      const written = writing.then(write);
      writing = written.catch(() => undefined);
      return written;
    },
    async remove() {
      place = undefined;
      await writing;
      if (folder !== undefined) await removeControlFile(folder, token);
    },
  };
}

async function removeControlFile(folder: string, token: string): Promise<void> {
  if ((await readControlFile(folder))?.token === token) await rm(join(folder, CONTROL_FILE), { force: true });
}

/**
 * Finds the server that has a folder open.
 *
 * @returns `undefined` if there is none: no file, or a leftover
 */
export async function findServer(folder: string): Promise<Control | undefined> {
  const control = await readControlFile(folder);
  if (control === undefined) return undefined;
  const challenge = randomSecret();
  const url = `${control.address}/api/0/health?challenge=${challenge}`;
  try {
    const headers = { connection: "close" };
    const response = await nodeFetch(control)(url, { signal: AbortSignal.timeout(PROBE_MILLIS), headers });
    const proof = parseProof(await response.text());
    // Another program on that address does not know the token.
    return proof !== undefined && proof === serverProof(control.token, challenge) ? control : undefined;
  } catch {
    return undefined;
  }
}

const PROBE_MILLIS = 5000;

function parseProof(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "proof" in value ? value.proof : undefined;
}

async function readControlFile(folder: string): Promise<Control | undefined> {
  const file = join(folder, CONTROL_FILE);
  try {
    // A file that others can write could direct the tools and the token anywhere.
    if (isOpenToOthers((await stat(file)).mode)) return undefined;
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const { address, token, pid, fingerprint, socketPath } = value as Readonly<Record<string, unknown>>;
    const isOurs = typeof address === "string" && typeof token === "string" && typeof pid === "number";
    if (!isOurs || !isOptionalString(fingerprint) || !isOptionalString(socketPath)) return undefined;
    // The token is only used with a server that proves its identity.
    const scheme = fingerprint === undefined ? "http" : "https";
    if (!new RegExp(`^${scheme}://[^/]+$`).test(address)) return undefined;
    return { address, token, pid, fingerprint, socketPath };
  } catch {
    return undefined;
  }
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
