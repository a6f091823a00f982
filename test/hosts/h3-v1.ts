// h3 of the major version before, as in Nitro 2. It comes with listhen, and need not be there.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { NodeHandler } from "../../src/index.js";
import { type Host, type Mount, OWN } from "./site.js";
import { serving, type UrlLog, urlLog } from "./socket-site.js";

interface Event {
  readonly method: string;
  readonly path: string;
  readonly node: { readonly req: IncomingMessage; readonly res: ServerResponse };
}
type Handler = (event: Event) => unknown;
interface App {
  use(handler: Handler): unknown;
  use(prefix: string, handler: Handler): unknown;
}

/** What the tests use of it. */
interface H3 {
  createApp(): App;
  eventHandler(handler: Handler): Handler;
  fromNodeMiddleware(handler: NodeHandler): Handler;
  readBody(event: Event): Promise<unknown>;
  setResponseStatus(event: Event, status: number): void;
  toNodeListener(app: App): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  toWebRequest(event: Event): Request;
}

/** `undefined` where it is not installed. */
async function load(): Promise<H3 | undefined> {
  const own = createRequire(import.meta.url);
  try {
    const place = createRequire(own.resolve("listhen")).resolve("h3");
    const found: unknown = await import(pathToFileURL(place).href);
    return isVersion1(found) ? found : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

function isVersion1(found: unknown): found is H3 {
  return typeof found === "object" && found !== null && !("H3" in found) && "toNodeListener" in found;
}

function hostOf(
  h3: H3,
  name: string,
  traits: Pick<Host, "keepsPrefix" | "sendsAhead" | "isWebStandard">,
  put: (app: App, mount: Mount, urls: UrlLog) => unknown,
): Host {
  const { createApp, eventHandler, readBody, setResponseStatus, toNodeListener } = h3;
  return {
    name,
    readsPaths: true,
    ...traits,
    async start(mounts) {
      const page = (path: string, handler: Handler): Handler =>
        eventHandler((event) => (event.path === path ? handler(event) : undefined));
      const app = createApp();
      app.use(page("/before", () => OWN.before));
      app.use(page("/echo", (event) => readBody(event)));
      // A prefix of this version is a text that paths begin with.
      app.use(page("/trackers", () => OWN.beside));
      const urls = urlLog();
      for (const mount of mounts) put(app, mount, urls);
      app.use(page("/after", () => OWN.after));
      app.use(
        eventHandler((event) => {
          setResponseStatus(event, 404);
          return OWN.missing;
        }),
      );
      return serving(toNodeListener(app), urls);
    },
  };
}

const h3 = await load();

export const H3_V1_HOSTS: readonly Host[] =
  h3 === undefined
    ? []
    : [
        hostOf(h3, "h3 1, by the Node handler", {}, (app, { prefix, server }, urls) => {
          // This version itself leaves the rest of the path in `url`.
          app.use(
            prefix || "/",
            h3.eventHandler(({ node }) => urls.note(node.req, node.res)),
          );
          app.use(prefix || "/", h3.fromNodeMiddleware(server.nodeHandler));
        }),
        hostOf(
          h3,
          "h3 1, by a route of web-standard requests",
          { keepsPrefix: true, sendsAhead: true, isWebStandard: true },
          (app, { prefix, server }) =>
            app.use(
              h3.eventHandler((event) =>
                event.path.startsWith(`${prefix}/`) ? server.fetch(h3.toWebRequest(event)) : undefined,
              ),
            ),
        ),
      ];
