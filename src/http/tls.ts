// Certificates of a socket, the server that uses them, and its responses to plain requests.
import type { RequestListener } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { messageOf } from "../errors.js";
import type { Logger } from "../logger.js";
import { refuseConnection } from "./node-server.js";

/** A certificate and its key as PEM text. */
export interface TlsCertificate {
  /** The certificate, followed by those between it and its root. */
  readonly cert: string;
  /** The private key of the certificate, not encrypted. */
  readonly key: string;
}

/** Files with a certificate and its key. A changed file is used within seconds, for new connections. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * The certificate of a socket (docs/reference/options.md#tls). A function is called when the socket opens and then
 * every five seconds; new connections use its latest result.
 */
export type TlsOptions = TlsCertificate | TlsFiles | (() => TlsCertificate | Promise<TlsCertificate>);

/** Facts about a certificate in use. */
export interface CertificateFacts {
  /** SHA-256 of the certificate, as browsers show it: 32 pairs of hexadecimal digits with colons between them. */
  readonly fingerprint: string;
  readonly expires: Date;
  /** Whether it is self-signed. */
  readonly isSelfIssued: boolean;
}

/** Settings of TLS other than the certificate. */
export interface TlsSetup {
  readonly logger: Logger;
  /** Called with each new certificate, including the first. @default none */
  readonly onCertificate?: ((facts: CertificateFacts) => void) | undefined;
  /** How often to check for a new certificate. @default 5000 */
  readonly reloadMillis?: number | undefined;
}

/** TLS for one server. */
export interface PreparedTls {
  /** For `createServer` of `node:https`. */
  readonly context: SecureContextOptions;
  /** Adds the header that browsers need for a certificate of an authority. */
  handlerOf(handler: RequestListener): RequestListener;
  /** Prepares a server that does not listen yet: versions, plain requests, certificate changes. */
  attach(server: Server): void;
}

const RELOAD_MILLIS = 5000;
/** A year, in which browsers refuse plain HTTP to the name, on any port. */
const STRICT_TRANSPORT = "max-age=31536000";
const VERSIONS = { minVersion: "TLSv1.2" } as const;

/**
 * Reads the certificate.
 *
 * @throws TypeError for an unusable one; errors of the function or the file system
 */
export async function prepareTls(options: TlsOptions, setup: TlsSetup): Promise<PreparedTls> {
  const { logger, onCertificate, reloadMillis = RELOAD_MILLIS } = setup;
  const read = readerOf(options);
  let current = await read();
  let facts = certificateFacts(current);
  onCertificate?.(facts);

  /** @returns the new certificate, if there is one; an unusable one is logged once */
  function reloader(): () => Promise<TlsCertificate | undefined> {
    let refused: string | undefined;
    let isTold = false;
    return async () => {
      let found: TlsCertificate | undefined;
      try {
        found = await read();
        if (isSame(found, current)) return undefined;
        const next = certificateFacts(found);
        facts = next;
        // Clients refuse an expired one, but they may refuse the previous one as well.
        if (next.expires.getTime() < Date.now()) logger.warn("the new certificate of TLS has expired");
        current = found;
        refused = undefined;
        return found;
      } catch (error) {
        // One of two files is written first: report only a lasting fault.
        const fault = `${messageOf(error)} ${found?.cert} ${found?.key}`;
        if (fault !== refused) isTold = false;
        else if (!isTold) {
          isTold = true;
          logger.warn(`the certificate of TLS has changed and cannot be used: ${messageOf(error)}; the old one stays`);
        }
        refused = fault;
        return undefined;
      }
    };
  }

  return {
    context: { ...current, ...VERSIONS },
    handlerOf: (handler) => (request, response) => {
      if (!facts.isSelfIssued && isSiteName(request.headers.host)) {
        response.setHeader("strict-transport-security", STRICT_TRANSPORT);
      }
      return handler(request, response);
    },
    attach(server) {
      server.setSecureContext({ ...current, ...VERSIONS });
      answerPlainRequests(server);
      if ("cert" in options) return;
      const reload = reloader();
      let isClosed = false;
      // One check after another: the function may take longer than the interval.
      const look = async (): Promise<void> => {
        const found = await reload();
        if (isClosed) return;
        lookLater();
        if (found === undefined) return;
        server.setSecureContext({ ...found, ...VERSIONS });
        onCertificate?.(facts);
      };
      let timer: NodeJS.Timeout;
      const lookLater = (): void => {
        timer = setTimeout(look, reloadMillis);
        timer.unref();
      };
      lookLater();
      server.once("close", () => {
        isClosed = true;
        clearTimeout(timer);
      });
    },
  };
}

function readerOf(options: TlsOptions): () => Promise<TlsCertificate> {
  if (typeof options === "function") return async () => options();
  if ("cert" in options) return async () => options;
  const { readFile } = globalThis.process.getBuiltinModule("fs/promises");
  const { certFile, keyFile } = options;
  return async () => {
    const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
    return { cert, key };
  };
}

function isSame(one: TlsCertificate, other: TlsCertificate): boolean {
  return one.cert === other.cert && one.key === other.key;
}

/** @throws TypeError for an unusable certificate */
export function certificateFacts({ cert, key }: TlsCertificate): CertificateFacts {
  const { X509Certificate, createPrivateKey } = globalThis.process.getBuiltinModule("crypto");
  const { createSecureContext } = globalThis.process.getBuiltinModule("tls");
  const certificate = parsed("cert", "a certificate", () => new X509Certificate(cert));
  const privateKey = parsed("key", "a private key without a passphrase", () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) throw new TypeError("`key` of TLS does not belong to `cert`");
  try {
    createSecureContext({ cert, key, ...VERSIONS });
  } catch (cause) {
    // For example keys that are too short today.
    throw new TypeError(`\`cert\` and \`key\` of TLS cannot be used: ${messageOf(cause)}`, { cause });
  }
  return {
    fingerprint: certificate.fingerprint256,
    expires: new Date(certificate.validTo),
    isSelfIssued: certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey),
  };
}

function parsed<T>(name: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new TypeError(`\`${name}\` of TLS is not ${what} in PEM`, { cause });
  }
}

/** Whether a Host header has a network name: a rule for `localhost` would apply to all its ports. */
function isSiteName(host: string = ""): boolean {
  const name = host.replace(/:\d*$/, "").toLowerCase();
  return /^(?=.*[a-z])[^[\]]+$/.test(name) && !/^(?:.*\.)?localhost\.?$/.test(name);
}

const HANDSHAKE = 0x16;
const PLAIN = "this port speaks HTTPS: use https:// in place of http://";

/** Checks the first byte of each connection. A plain request would otherwise only see a reset connection. */
function answerPlainRequests(server: Server): void {
  const accept = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    // Until TLS listens for errors itself.
    socket.on("error", () => socket.destroy());
    socket.once("readable", () => {
      const first: Buffer | null = socket.read(1);
      if (first === null) {
        socket.destroy();
        return;
      }
      if (first[0] !== HANDSHAKE && /[A-Z]/.test(first.toString("latin1"))) {
        refuseConnection(socket, "400 Bad Request", PLAIN);
        // Unread data at the end would destroy the response.
        socket.resume();
        return;
      }
      socket.unshift(first);
      for (const listener of accept) listener.call(server, socket);
    });
  });
}
