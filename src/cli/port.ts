import { get, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { NO_ADDRESS } from "../http/bind.js";
import { formatUrl, isAnyHost, isLoopbackHost, reachableHost } from "./address.js";
import { errorCode, quotePath } from "./data-folder.js";
import { LaunchError, printable } from "./launch-error.js";

const PROBE_MILLIS = 1000;
const MAX_RESPONSE_LENGTH = 64 * 1024;

/** Ports that no browser opens (the "bad ports" of the fetch standard). */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000,
  6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080,
]);

/**
 * Checks that no other program listens on a port. Some systems let a second server bind one address while another
 * server has bound all of them. Watchers would then report to either.
 *
 * @throws LaunchError that names the other program, if it is known
 */
export async function checkPort(host: string, port: number): Promise<void> {
  if (BLOCKED_PORTS.has(port)) throw new LaunchError(`browsers refuse port ${port}; choose another with --port`);
  const isOurs = isLoopbackHost(host) || isAnyHost(host);
  if (isOurs && port !== 0 && (await acceptsConnections(host, port))) throw await portTakenError(host, port);
}

/** Whether a program accepts connections there. Without HTTP, because loading its client would delay each start. */
function acceptsConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: reachableHost(host), port, signal: AbortSignal.timeout(PROBE_MILLIS) });
    socket.once("connect", () => {
      resolve(true);
      socket.destroy();
    });
    socket.on("error", () => resolve(false));
  });
}

/** Explains why the server cannot listen on a port. */
export async function explainListenError(error: unknown, host: string, port: number): Promise<LaunchError> {
  if (error instanceof LaunchError) return error;
  // listhen has its own error for a port in use.
  const fault = error instanceof Error && error.name === "GetPortError" ? "EADDRINUSE" : errorCode(error);
  if (fault === "EADDRINUSE") return portTakenError(host, port);
  if (fault === "EACCES")
    return new LaunchError(`no permission to use port ${port} on ${host}; choose one above 1023 with --port`);
  if (NO_ADDRESS.has(fault))
    return new LaunchError(`${host} is not an address of this machine; choose another with --host`);
  if (fault === "ENOTFOUND" || fault === "EAI_AGAIN")
    return new LaunchError(`the host name ${host} cannot be resolved; choose another with --host`);
  return new LaunchError(`port ${port} on ${host} cannot be used (${fault})`);
}

/** The error for a port in use. It names the program if it is an activity server. */
export async function portTakenError(host: string, port: number): Promise<LaunchError> {
  const answer = await requestServerInfo(host, port);
  const who = answer === undefined ? "something else" : describeServer(answer);
  const advice =
    answer === undefined ? "choose another with --port" : "use that one, or choose another port with --port";
  return new LaunchError(`port ${port} on ${host} is taken by ${who}; ${advice}`);
}

/** The response of an activity server to `GET /api/0/info`. */
type Info = Readonly<Record<string, unknown>> & { readonly version: string };

function describeServer({ version, hostname, device_id: device, testing }: Info): string {
  const name = (value: unknown) => (typeof value === "string" && value !== "" ? printable(value, 60) : "unknown");
  const mode = testing === true ? ", testing" : "";
  return `an activity server: ${name(version)} on host ${name(hostname)}, device ${name(device)}${mode}`;
}

/** Explains why the server cannot listen on a Unix socket. */
export async function explainSocketError(error: unknown, path: string): Promise<LaunchError> {
  const what = `the socket ${quotePath(path)}`;
  const code = errorCode(error);
  if (code === "EADDRINUSE") {
    const answer = await fetchInfo("http://localhost", get, { socketPath: path });
    const who = answer === undefined ? "something else" : describeServer(answer);
    return new LaunchError(`${what} is taken by ${who}; choose another path with --socket`);
  }
  if (code === "EEXIST")
    return new LaunchError(`${what} cannot be created: another file has this path; choose another one with --socket`);
  if (code === "ENAMETOOLONG")
    return new LaunchError(`${what} cannot be created: its path is too long; choose a shorter one with --socket`);
  return new LaunchError(`${what} cannot be created (${code})`);
}

/** Requests the info of the server on a port. @returns `undefined` for anything but an activity server */
async function requestServerInfo(host: string, port: number): Promise<Info | undefined> {
  const name = reachableHost(host);
  const plain = await fetchInfo(formatUrl(name, port), get);
  if (plain !== undefined) return plain;
  const https = await import("node:https");
  // Safe with any server: the request has no secret, and the response is only shown.
  return fetchInfo(formatUrl(name, port, "https"), https.get, { rejectUnauthorized: false });
}

function fetchInfo(
  address: string,
  getBy: typeof get,
  options: RequestOptions & { readonly rejectUnauthorized?: boolean } = {},
): Promise<Info | undefined> {
  return new Promise((done) => {
    const signal = AbortSignal.timeout(PROBE_MILLIS);
    const request = getBy(`${address}/api/0/info`, { agent: false, signal, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > MAX_RESPONSE_LENGTH) request.destroy();
      });
      response.on("end", () => done(response.statusCode === 200 ? parseInfo(text) : undefined));
      response.on("error", () => done(undefined));
    });
    request.on("error", () => done(undefined));
  });
}

function parseInfo(text: string): Info | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const info = value as Record<string, unknown>;
    const ours = typeof info["version"] === "string" && typeof info["hostname"] === "string";
    return ours ? (info as Info) : undefined;
  } catch {
    return undefined;
  }
}
