// A self-signed certificate, created by the CLI and stored in the data folder.
import { generateKeyPair, randomBytes, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { certificateFacts, type TlsCertificate } from "../http/tls.js";
import { loadOptional } from "./packages.js";
import { writePrivateFile } from "./private-file.js";

const DAY_MILLIS = 86_400_000;
/** Systems accept at most 825 days for a certificate that a user has added. */
const VALID_DAYS = 730;
/** Days before its end at which a new one is created. */
const RENEWAL_DAYS = 30;
/** Clocks of other machines may be behind. */
const BACKDATED_DAYS = 1;

/** Folder of the certificate in the data folder. */
const FOLDER = "tls";
const CERT_FILE = "cert.pem";
const KEY_FILE = "key.pem";

/** Creates a self-signed certificate. @param names host names and addresses, the latter without brackets */
export async function createCertificate(names: readonly string[], now: number = Date.now()): Promise<TlsCertificate> {
  const { default: forge } = await loadOptional(() => import("node-forge"));
  // In native code, because forge takes seconds.
  const { privateKey: key } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const privateKey = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.rsa.setPublicKey(privateKey.n, privateKey.e);
  // A positive number, so the first bit is 0.
  certificate.serialNumber = `4${randomBytes(16).toString("hex").slice(1)}`;
  certificate.validity.notBefore = new Date(now - BACKDATED_DAYS * DAY_MILLIS);
  certificate.validity.notAfter = new Date(now + VALID_DAYS * DAY_MILLIS);
  const subject = [{ name: "commonName", value: "activity-server" }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: true },
    {
      name: "subjectAltName",
      altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
    },
    { name: "subjectKeyIdentifier" },
  ]);
  certificate.sign(privateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate).replaceAll("\r\n", "\n"), key };
}

/** Whether a certificate is valid for names, and for some more time. */
export function isUsableFor({ cert }: TlsCertificate, names: readonly string[], now: number = Date.now()): boolean {
  const certificate = new X509Certificate(cert);
  const isCurrent =
    Date.parse(certificate.validFrom) <= now && Date.parse(certificate.validTo) - now > RENEWAL_DAYS * DAY_MILLIS;
  return isCurrent && names.every((name) => coversName(certificate, name));
}

function coversName(certificate: X509Certificate, name: string): boolean {
  const options = { subject: "never", wildcards: false } as const;
  return (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name, options)) !== undefined;
}

/** Path of a data folder's certificate. */
export function certificateFile(folder: string): string {
  return join(folder, FOLDER, CERT_FILE);
}

/** @returns `undefined` if there is no usable one */
export async function readCertificate(folder: string): Promise<TlsCertificate | undefined> {
  try {
    const [cert, key] = await Promise.all([
      readFile(certificateFile(folder), "utf8"),
      readFile(join(folder, FOLDER, KEY_FILE), "utf8"),
    ]);
    certificateFacts({ cert, key });
    return { cert, key };
  } catch {
    return undefined;
  }
}

/** Writes a certificate that only its owner can read. An incomplete one is unusable, and created again. */
export async function writeCertificate(folder: string, { cert, key }: TlsCertificate): Promise<void> {
  await mkdir(join(folder, FOLDER), { recursive: true, mode: 0o700 });
  await writePrivateFile(join(folder, FOLDER, KEY_FILE), key);
  await writePrivateFile(certificateFile(folder), cert);
}
