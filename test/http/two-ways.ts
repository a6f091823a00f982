// The same bytes to two servers of equal state: one serves them by its own request listener, the other by h3 alone.
import { toNodeHandler } from "srvx/node";
import { memory } from "../../adapters/memory.js";
import {
  type ActivityServer,
  type ActivityServerOptions,
  createActivityServer,
  type NodeHandler,
} from "../../src/index.js";
import { onPort, withoutStrays } from "../harness.js";
import { words } from "../words.js";
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
const FRAMING: ReadonlySet<string> = new Set(words`date connection keep-alive transfer-encoding content-length`);

/** Runs a test with two servers that hold the same buckets: `b`, `a/b`, `ü`, `100%`, `empty`, and `big`. */
export async function withTwoWays(
  options: Omit<ActivityServerOptions, "storage">,
  body: (ways: TwoWays) => Promise<void>,
): Promise<void> {
  await withoutStrays(async () => {
    const [one, other] = [await serverWith(options), await serverWith(options)];
    await onPort(one.nodeHandler, (short) =>
      onPort(longWay(other), (long) =>
        body({
          async ask(bytes, method) {
            return [plain(await ask(short.port, bytes, method)), plain(await ask(long.port, bytes, method))];
          },
        }),
      ),
    );
    await one.close();
    await other.close();
  });
}

/** A request listener that knows no short way. */
function longWay(server: ActivityServer): NodeHandler {
  return toNodeHandler(async (request: Request) => server.app.fetch(request)) as NodeHandler;
}

async function serverWith(options: Omit<ActivityServerOptions, "storage">): Promise<ActivityServer> {
  const storage = memory();
  for (const id of ["b", "a/b", "ü", "100%"]) await fill(storage, id, 3, 5);
  await fill(storage, "empty", 0);
  await fill(storage, "big", 10);
  return createActivityServer({ hostname: "box", precompressed: true, ...options, storage });
}

function plain(answer: RawAnswer | undefined): PlainAnswer {
  if (answer === undefined) return { status: 0, headers: [], body: "" };
  const headers = answer.headers.filter(([name]) => !FRAMING.has(name)).map(([name, value]) => `${name}: ${value}`);
  return { status: answer.status, headers: headers.sort(), body: answer.body.toString("latin1") };
}
