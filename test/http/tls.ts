// Certificates for tests, and TLS connections spoken byte for byte.
import net from "node:net";
import tls from "node:tls";
import { createCertificate } from "../../src/cli/certificate.js";
import { certificateFacts, type TlsCertificate } from "../../src/http/tls.js";

const LOOPBACK = ["localhost", "127.0.0.1", "::1"];
const made = new Map<string, Promise<TlsCertificate>>();

/** A certificate; the same one for all tests of a process that ask for these names. */
export function certificate(names: readonly string[] = LOOPBACK): Promise<TlsCertificate> {
  const key = names.join();
  const found = made.get(key) ?? createCertificate(names);
  made.set(key, found);
  return found;
}

export function fingerprintOf(made: TlsCertificate): string {
  return certificateFacts(made).fingerprint;
}

/** The end of a connection: what came before it. */
export function received(socket: net.Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  return new Promise((resolve) => socket.once("close", () => resolve(text)));
}

/** Connects without a word. */
export async function connectPlain(port: number): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return socket;
}

/** Shakes hands. @throws Error when the server will not */
export function connectTls(port: number, options: tls.ConnectionOptions = {}): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
