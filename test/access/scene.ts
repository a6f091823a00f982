// A server whose clock a test moves, and requests to it.
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { ActivityServer, ActivityServerOptions, Storage } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { proved } from "./proofs.js";

export const MINUTE = 60_000;
export const START: number = Date.UTC(2024, 2, 1, 9);
/** Where pages of the server are. */
export const HOST = "http://localhost:5600";

export type SceneOptions = Partial<ActivityServerOptions>;

type Headers = Readonly<Record<string, string>>;

export interface AccessScene {
  readonly server: ActivityServer;
  readonly storage: Storage;
  readonly errors: unknown[];
  readonly warnings: string[];
  /** A secret of a session among the headers becomes a proof. */
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Response>;
  status(method: string, path: string, body?: unknown, headers?: Headers): Promise<number>;
  /** The status of a read with a key. */
  statusWith(key: string | undefined, headers?: Headers): Promise<number>;
  advance(millis: number): void;
}

/** By default keys are required. */
export async function inScene(
  body: (scene: AccessScene) => Promise<void>,
  options: SceneOptions = { auth: "required" },
): Promise<void> {
  let now = START;
  const storage = (options.storage as Storage | undefined) ?? memory();
  await withServer(
    { door: "process", clock: () => now, controlToken: "token", ...options, storage },
    async ({ server, errors, warnings }) => {
      const send: AccessScene["send"] = (method, path, content, headers = {}) =>
        sendJson(server, method, `${HOST}${path}`, content, proved(headers, method, path, now));
      const status: AccessScene["status"] = async (...given) => (await send(...given)).status;
      const statusWith: AccessScene["statusWith"] = (key, headers = {}) =>
        status("GET", "/api/0/buckets", undefined, { ...headers, ...(key !== undefined && bearer(key)) });
      const advance = (millis: number): void => {
        now += millis;
      };
      await body({ server, storage, errors, warnings, send, status, statusWith, advance });
    },
  );
}

export function bearer(key: string): { readonly authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/** A session, and what its page knows. */
export interface SignedIn {
  readonly id: string;
  readonly cookie: string;
  readonly secret: string;
}

/** Signs a page in. */
export async function signIn(server: ActivityServer, origin: string = HOST, headers: Headers = {}): Promise<SignedIn> {
  const { token } = await server.sessions.createLink();
  const answer = await sendJson(server, "POST", `${origin}/api/0/session`, { token }, { origin, ...headers });
  assert.is(answer.status, 200);
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  return { cookie, ...((await answer.json()) as Pick<SignedIn, "id" | "secret">) };
}

/** Lets the time of the machine be ahead for the time of a body. */
export async function withTimeAhead(body: (advance: (millis: number) => void) => Promise<void>): Promise<void> {
  const { now } = performance;
  let ahead = 0;
  performance.now = () => now.call(performance) + ahead;
  try {
    await body((millis) => {
      ahead += millis;
    });
  } finally {
    performance.now = now;
  }
}
