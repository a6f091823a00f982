// Certificates for tests, and TLS connections spoken byte for byte.
import net from "node:net";
import tls from "node:tls";
import { makeCertificate } from "../../src/cli/certificate.js";
import { certificateFacts, type TlsCertificate } from "../../src/http/tls.js";

let first: Promise<TlsCertificate> | undefined;

/** A certificate for the loopback names; the same one for all tests of a process. */
export function certificate(): Promise<TlsCertificate> {
  first ??= makeCertificate(["localhost", "127.0.0.1", "::1"]);
  return first;
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
