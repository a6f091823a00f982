import { lookup } from "node:dns/promises";
import type { RequestListener, Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Server as NetServer } from "node:net";
import { bindSecondLoopback } from "../http/bind.js";
import { listenerOf, tlsOf } from "../http/listen.js";
import { isAnyHost } from "./address.js";
import type { CliListener, CliListenOptions } from "./listen.js";
import { loadOptional } from "./packages.js";

/**
 * Listens with listhen, which prints the URLs. Loading it takes as long as the rest of a start. Every setting that it
 * would guess from NODE_ENV, HOST, PORT, the terminal or the command line is fixed.
 */
export async function listenAndShow(handler: RequestListener, settings: CliListenOptions): Promise<CliListener> {
  const { host, port, qr, clipboard, connections = {}, certificate } = settings;
  const tls = certificate === undefined ? undefined : await tlsOf(certificate, settings);
  const { listen: listhen } = await loadOptional(() => import("listhen"));
  const { server, showURL } = await listhen(tls === undefined ? handler : tls.handlerOf(handler), {
    hostname: await displayHost(host, tls !== undefined),
    // No fallback: without `random: false` and an empty range it would move to 3000 or to a random port.
    port: { port, random: port === 0, alternativePortRange: [1, 0], verbose: false },
    // Otherwise it takes `--host` in the arguments as a request for all interfaces, or turns 0.0.0.0 into localhost.
    public: isAnyHost(host),
    isTest: false,
    isProd: false,
    showURL: false,
    qr,
    clipboard,
    open: false,
    tunnel: false,
    https: tls === undefined ? false : { cert: extractPem(tls.context.cert), key: extractPem(tls.context.key) },
    autoClose: false,
  });
  tls?.attach(server as SecureServer);
  const node = server as Server;
  const secondSocket = host === "localhost" ? await bindSecondSocket(node) : undefined;
  return {
    ...listenerOf(node, { place: { host, secondSocket, isTls: tls !== undefined }, connections }, settings),
    show: () => void showURL(),
  };
}

/**
 * The host that listhen binds and prints. Without TLS nothing proves a name, which may also resolve to another machine.
 */
async function displayHost(host: string, isTls: boolean): Promise<string> {
  if (host === "localhost") return "127.0.0.1";
  return isTls ? host : (await lookup(host)).address;
}

async function bindSecondSocket(server: Server): Promise<NetServer | undefined> {
  try {
    return await bindSecondLoopback(server);
  } catch (error) {
    server.close();
    throw error;
  }
}

/** No leading text: listhen would treat it as a file path. */
function extractPem(text: unknown): string {
  const pem = String(text);
  return pem.slice(Math.max(0, pem.indexOf("-----BEGIN ")));
}
