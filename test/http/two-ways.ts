// The same bytes to two servers of equal state: one serves them by its own request listener, the other by h3 alone.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "srvx/node";
import { memory } from "../../adapters/memory.js";
import {
  type ActivityServer,
  type ActivityServerOptions,
  createActivityServer,
  type NodeHandler,
  prepareNodeServer,
} from "../../src/index.js";
import { withoutStrays } from "./client.js";
import { ask, type RawAnswer } from "./raw.js";
import { fill } from "./storages.js";

/** An answer without what only frames it or tells the time. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

export interface TwoWays {
  /** Sends a request both ways: the short way first, then the long one. */
  ask(bytes: string, method?: string): Promise<readonly [short: PlainAnswer, long: PlainAnswer]>;
}

/** Headers that belong to the connection, and the time. */
const FRAMING: ReadonlySet<string> = new Set([
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
]);

/** Runs a test with two servers that hold the same buckets: `b`, `a/b`, `ü`, `100%`, `empty`, and `big`. */
export async function withTwoWays(
  options: Omit<ActivityServerOptions, "storage">,
  body: (ways: TwoWays) => Promise<void>,
): Promise<void> {
  await withoutStrays(async () => {
    const short = await startServer(options, (server) => server.nodeHandler);
    const long = await startServer(options, longWay);
    try {
      await body({
        async ask(bytes, method) {
          return [plain(await ask(short.port, bytes, method)), plain(await ask(long.port, bytes, method))];
        },
      });
    } finally {
      await short.close();
      await long.close();
    }
  });
}

/** A request listener that knows no short way. */
function longWay(server: ActivityServer): NodeHandler {
  return toNodeHandler(async (request: Request) => server.app.fetch(request)) as NodeHandler;
}

/** Lets a server of Node serve a handler on a free port. */
export async function listenWith(handler: NodeHandler): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = http.createServer(handler);
  prepareNodeServer(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function startServer(
  options: Omit<ActivityServerOptions, "storage">,
  handlerOf: (server: ActivityServer) => NodeHandler,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const storage = memory();
  for (const id of ["b", "a/b", "ü", "100%"]) await fill(storage, id, 3, 5);
  await fill(storage, "empty", 0);
  await fill(storage, "big", 10);
  const server = createActivityServer({ hostname: "box", precompressed: true, ...options, storage });
  const { port, close } = await listenWith(handlerOf(server));
  return {
    port,
    async close() {
      await close();
      await server.close();
    },
  };
}

function plain(answer: RawAnswer | undefined): PlainAnswer {
  if (answer === undefined) return { status: 0, headers: [], body: "" };
  const headers = answer.headers.filter(([name]) => !FRAMING.has(name)).map(([name, value]) => `${name}: ${value}`);
  return { status: answer.status, headers: headers.sort(), body: answer.body.toString("latin1") };
}
