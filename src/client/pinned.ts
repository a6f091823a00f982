import type { ClientRequestArgs } from "node:http";
import type { Agent } from "node:https";
import type Tls from "node:tls";

/** Opens a connection for a request of `node:https`. */
export type CreateConnection = NonNullable<ClientRequestArgs["createConnection"]>;

const HANDSHAKE_MILLIS = 30_000;

const ADDRESS = /^[\d.]+$|:/;

/** The 64 digits of a SHA-256 fingerprint, in lower case and without colons. @throws TypeError for an invalid one */
export function fingerprintDigits(fingerprint: string): string {
  const digits = fingerprint.replaceAll(":", "").toLowerCase();
  if (/^[0-9a-f]{64}$/.test(digits)) return digits;
  throw new TypeError("fingerprint must be 64 hexadecimal digits, the SHA-256 of a certificate");
}

/**
 * Trusts only the certificate with a fingerprint, whatever its issuer and names. Sends nothing before the server has
 * proved that it has the key.
 *
 * @throws TypeError for an invalid fingerprint
 */
export function connectPinned(tls: typeof Tls, fingerprint: string): CreateConnection {
  const expected = fingerprintDigits(fingerprint);
  return ({ host, port }, connected) => {
    const place = { host: host ?? "localhost", port: Number(port) };
    // A proxy may serve several names on one address; an address is not a name.
    const servername = ADDRESS.test(place.host) ? "" : place.host;
    const socket = tls.connect({ ...place, servername, minVersion: "TLSv1.2", rejectUnauthorized: false });
    const fail = (error: Error): void => connected(error, socket);
    const giveUp = (): void => void socket.destroy(new Error("the TLS handshake took too long"));
    socket.once("error", fail);
    socket.setTimeout(HANDSHAKE_MILLIS, giveUp);
    socket.once("secureConnect", () => {
      socket.off("error", fail);
      socket.setTimeout(0);
      socket.off("timeout", giveUp);
      const found = socket.getPeerCertificate().fingerprint256;
      if (found !== undefined && fingerprintDigits(found) === expected) {
        connected(null, socket);
        return;
      }
      socket.on("error", () => undefined);
      socket.destroy();
      connected(new Error(`the certificate of the server has another fingerprint: ${found ?? "none"}`), socket);
    });
    return undefined;
  };
}

export function pinnedAgent(agent: Agent, createConnection: CreateConnection): Agent {
  return Object.assign(agent, { createConnection });
}
