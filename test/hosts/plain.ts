// Hosts on bare node:http.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Host, type Mount, OWN } from "./site.js";
import { serving, urlLog } from "./socket-site.js";

/** Whether a path lies below a prefix; below an empty one everything does. */
function isBelow(prefix: string, url: string): boolean {
  return prefix === "" || (url.startsWith(prefix) && /^(?:[/?]|$)/.test(url.slice(prefix.length)));
}

async function ownPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const page = `${request.method} ${request.url}`;
  if (page === "POST /echo") {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.setHeader("content-type", "application/json").end(Buffer.concat(chunks));
  } else if (page === "GET /before") response.end(OWN.before);
  else if (page === "GET /after") response.end(OWN.after);
  else if (page === "GET /trackers") response.end(OWN.beside);
  else response.writeHead(404).end(OWN.missing);
}

type HandOver = (mount: Mount, request: IncomingMessage, response: ServerResponse) => unknown;

function plainHost(name: string, keepsPrefix: boolean, handOver: HandOver): Host {
  return {
    name,
    keepsPrefix,
    async start(mounts) {
      const urls = urlLog();
      return serving((request, response) => {
        const { url = "" } = request;
        const mount = mounts.find(({ prefix }) => isBelow(prefix, url));
        if (mount === undefined || url === "/before" || url === "/echo") return void ownPage(request, response);
        handOver(mount, request, response);
        urls.note(request, response);
      }, urls);
    },
  };
}

export const PLAIN_HOSTS: readonly Host[] = [
  plainHost("node:http, prefix left on", true, ({ server }, request, response) =>
    server.nodeHandler(request, response),
  ),
  plainHost("node:http, prefix taken off", false, ({ prefix, server }, request, response) => {
    request.url = request.url?.slice(prefix.length).replace(/^(?!\/)/, "/");
    server.nodeHandler(request, response);
  }),
  plainHost("node:http, after some waiting", true, async ({ server }, request, response) => {
    await new Promise((resolve) => setImmediate(resolve));
    server.nodeHandler(request, response);
  }),
];
