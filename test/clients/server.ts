// A server on a free port for one test of a client.
import type { KeyScope } from "../../src/index.js";
import { withTap } from "../api/answer-tap.js";
import { withServer } from "../harness.js";

/** Serves during the body. Every answer must fit the OpenAPI document. */
export function withTapped(body: (url: string) => Promise<void>): Promise<void> {
  return withServer({}, ({ port, url }) => withTap(port, () => body(url)));
}

/** The same for a server that demands a key, which has these scopes. */
export function withKey(scopes: readonly KeyScope[], body: (url: string, key: string) => Promise<void>): Promise<void> {
  return withServer({ auth: "required" }, async ({ server, port, url }) => {
    const { key } = await server.keys.add({ name: "client", scopes });
    await withTap(port, () => body(url, key));
  });
}
