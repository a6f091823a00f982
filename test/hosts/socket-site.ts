// Hosts that listen: the site is a port of this machine.
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { WireAnswer } from "../codec/socket.js";
import type { Send } from "../harness.js";
import { listeningPort } from "../harness.js";
import type { Download, Site } from "./site.js";

/** What `url` of request objects was before and after. */
export interface UrlLog {
  readonly seen: (readonly [before: string | undefined, after: string | undefined])[];
  /** Notes `url` now and when the answer is over. Called where the host's own log would look at it. */
  note(request: IncomingMessage, response: ServerResponse): void;
}

export function urlLog(): UrlLog {
  const seen: (readonly [string | undefined, string | undefined])[] = [];
  return {
    seen,
    note(request, response) {
      const before = request.url;
      response.once("finish", () => void seen.push([before, request.url]));
    },
  };
}

/** Serves a listener of the host on a free port. */
export function serving(listener: RequestListener, urls: UrlLog): Promise<Site> {
  return siteOf(http.createServer(listener), urls);
}

/** Opens a server of the host on a free port. */
export async function siteOf(server: Server, urls: UrlLog): Promise<Site> {
  const port = await listeningPort(server);
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return siteAt(port, urls, close);
}

/** The site of a host that listens already. */
export function siteAt(port: number, urls: UrlLog, closeHost: () => Promise<unknown>): Site {
  const agent = new http.Agent({ keepAlive: true });
  const target = { host: "127.0.0.1", port };
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    urls: urls.seen,
    send: (...request) => sendBy(agent, target, request),
    open: (path) => open(target, path),
    async close() {
      agent.destroy();
      await closeHost();
    },
  };
}

interface Target {
  readonly host: string;
  readonly port: number;
}

function sendBy(agent: http.Agent, target: Target, request: Parameters<Send>): Promise<WireAnswer> {
  const [method, path, content, headers = {}] = request;
  const raw = content === undefined || typeof content === "string" || Buffer.isBuffer(content);
  const bytes = content === undefined ? undefined : Buffer.from(raw ? content : JSON.stringify(content));
  const inChunks = headers["Transfer-Encoding"] === "chunked";
  return new Promise((resolve, reject) => {
    const sent = http.request({
      ...target,
      agent,
      method,
      path,
      headers: {
        ...(bytes !== undefined && { "Content-Type": "application/json" }),
        ...(bytes !== undefined && !inChunks && { "Content-Length": String(bytes.length) }),
        ...headers,
      },
    });
    let answered = false;
    // A server that has refused a body may close the connection while the rest of it is still being sent.
    sent.on("error", (error) => answered || reject(error));
    sent.on("response", (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.end(bytes);
  });
}

/** Asks on a connection of its own. */
async function open(target: Target, path: string): Promise<Download> {
  const request = http.request({ ...target, path, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
    request.end();
  });
  const pieces = response.iterator({ destroyOnReturn: false });
  return {
    status: response.statusCode ?? 0,
    async next() {
      const piece = await pieces.next();
      return piece.done ? undefined : (piece.value as Buffer);
    },
    async leave() {
      response.on("error", () => undefined);
      request.destroy();
    },
  };
}
