// long: 300 s
// The recorded REST cases, answered by the bundle where there is no Node.
import http from "node:http";
import { Readable } from "node:stream";
import type { memory } from "../../adapters/memory.js";
import type { createActivityServer } from "../../src/index.js";
import { conformanceSuite, type StartServer } from "../codec/conformance.js";
import { listeningPort } from "../harness.js";
import { packPrograms } from "../package/tarball.js";
import { bundle, WORKER } from "./bundle.js";
import { runWithoutNode } from "./realm.js";

const found = runWithoutNode(await bundle(packPrograms(), ["activity-server", "activity-server/memory"], WORKER));
const create = found["createActivityServer"] as typeof createActivityServer;
const open = found["memory"] as typeof memory;

/** Carries requests of a socket into the realm, the way a runtime does that has its own server. */
const start: StartServer = async ({ server: options }, storage) => {
  const { host = "127.0.0.1", ...others } = options;
  // Without a socket of its own the server cannot know where it is bound: the one who serves has to say it.
  const allowedHosts = host === "127.0.0.1" ? ["localhost", "127.0.0.1", "[::1]"] : undefined;
  const server = create({ storage, ...(allowedHosts && { allowedHosts }), ...others });
  const listener = http.createServer({ requireHostHeader: false }, async (request, response) => {
    const { method = "GET", headers } = request;
    const sent = method === "GET" || method === "HEAD" ? {} : { body: Readable.toWeb(request), duplex: "half" };
    const lines = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const url = `http://no-host.invalid${request.url ?? "/"}`;
    const answer = await server.fetch(new Request(url, { method, headers: lines, ...sent } as RequestInit));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const port = await listeningPort(listener);
  return {
    port,
    async close() {
      listener.close();
      listener.closeAllConnections();
      await server.close();
    },
  };
};

conformanceSuite("bundled for a worker, without Node", (play) => play(open()), start, 8);
