// A host with the server in it, running for one test.
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer, type Storage } from "../../src/index.js";
import { checkAnswer } from "../api/answer-check.js";
import { headerText } from "../codec/socket.js";
import { inTime, recordingLogger, type Send, withoutStrays } from "../harness.js";

/** Where a host puts a server: below a prefix such as `/tracker`, or with an empty one at its root. */
export interface Mount {
  readonly prefix: string;
  readonly server: ActivityServer;
}

/** A way to put the server into somebody else's program. */
export interface Host {
  readonly name: string;
  /** The prefix stays on the paths that the server gets, so that it is told. */
  readonly keepsPrefix?: boolean;
  /** The host parses JSON itself: what is not JSON it refuses in its own words. */
  readonly parsesJson?: boolean;
  /** The host refuses paths that are not UTF-8, or resolves dots in them, before anything of ours sees them. */
  readonly readsPaths?: boolean;
  /** The host takes an answer as fast as it is made, however slowly the client reads. */
  readonly sendsAhead?: boolean;
  /** What it hands over are web-standard requests, which cannot be changed. */
  readonly isWebStandard?: boolean;
  /** There is no connection: requests are objects. */
  readonly isInProcess?: boolean;
  /** The server takes every path when it is mounted at the root, so that the host has no page of its own left. */
  readonly takesAllAtRoot?: boolean;
  /**
   * Starts the host with pages of its own: `GET /before` and `POST /echo` in front of the mounts, `GET /after` behind
   * them, `GET /trackers` beside, and a 404 of its own. Their texts are in `OWN`.
   */
  start(mounts: readonly Mount[]): Promise<Site>;
}

/** One of the tests that run in every host, with the server at the root and below a prefix. */
export interface HostCase {
  readonly name: string;
  /** Where it makes sense. @default everywhere */
  readonly where?: (host: Host, prefix: string) => boolean;
  readonly run: (host: Host, prefix: string) => Promise<void>;
}

/** What the host's own pages say. */
export const OWN = {
  before: "a page registered before",
  after: "a page registered after",
  beside: "a page whose name begins like the prefix",
  missing: "the host has no such page",
} as const;

/** A large answer on its way. */
export interface Download {
  readonly status: number;
  /** The next bytes; `undefined` at the end. Nothing is taken from the connection in between. */
  next(): Promise<Uint8Array | undefined>;
  /** Goes away in the middle. */
  leave(): Promise<void>;
}

/** A running host. */
export interface Site {
  readonly send: Send;
  /** Scheme, host and port of the site, as a page of it would send it. */
  readonly origin: string;
  /** The port, when it has one: a web-standard handler is called in process. */
  readonly port?: number;
  /** `url` of the host's request object, before and after each request. */
  readonly urls: readonly (readonly [before: string | undefined, after: string | undefined])[];
  open(path: string): Promise<Download>;
  close(): Promise<void>;
}

/** What a test gets: the site, and the same with the prefix in front of each path. */
export interface Visit {
  readonly site: Site;
  readonly storage: Storage;
  readonly server: ActivityServer;
  /** Sends to a path of the (first) server. */
  readonly send: Send;
}

export interface VisitOptions {
  readonly storage?: Storage;
}

/**
 * Runs a host with a server that has no option but its storage, its log, and the prefix where that stays on. Afterwards there must be nothing in the
 * log, no warning of the process, no error that nobody took, and nothing that keeps host or server from closing.
 */
export async function visit(
  host: Host,
  prefix: string,
  body: (visit: Visit) => Promise<void>,
  { storage = memory() }: VisitOptions = {},
): Promise<void> {
  const { logger, errors } = recordingLogger();
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`);
  process.on("warning", onWarning);
  await withoutStrays(async () => {
    const server = createActivityServer({ storage, logger, ...basePathIn(host, prefix) });
    const site = await host.start([{ prefix, server }]);
    const send: Send = async (method, path, content, headers) => {
      const sent = site.send(method, prefix + path, content, headers);
      const answer = await inTime(sent, `${method} ${path.slice(0, 100)}`);
      if (!refusesItself(host, path, content)) {
        checkAnswer({ method, path: prefix + path, ...answer, header: (name) => headerText(answer.headers[name]) });
      }
      return answer;
    };
    try {
      await body({ site, storage, server, send });
    } finally {
      await inTime(site.close(), "the host's end");
      await inTime(server.close(), "close()");
    }
  });
  process.off("warning", onWarning);
  assert.equal(errors.map(String), [], "the log of errors");
  assert.equal(warnings, [], "warnings of the process");
}

/** The option that a server needs below a prefix of a host. */
export function basePathIn({ keepsPrefix = false }: Host, prefix: string): { readonly basePath?: string } {
  return keepsPrefix && prefix !== "" ? { basePath: prefix } : {};
}

/** Whether a host may refuse a request in its own words before the server sees it. */
function refusesItself({ readsPaths = false, parsesJson = false }: Host, path: string, content: unknown): boolean {
  return (
    (readsPaths && fails(() => decodeURIComponent(path))) ||
    (parsesJson && typeof content === "string" && fails(() => JSON.parse(content)))
  );
}

function fails(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch {
    return true;
  }
}
