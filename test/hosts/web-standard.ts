// A web-standard handler, as file routes of Next or SvelteKit export it: called in process, with the prefix left on.
import type { Send } from "../harness.js";
import { type Download, type Host, type Mount, OWN, type Site } from "./site.js";

const ORIGIN = "http://localhost:3000";

type RouteHandler = (request: Request, context?: object) => Response | Promise<Response>;

/** What the file of a route exports. */
type RouteModule = Readonly<Record<string, RouteHandler>>;

/** `export const GET = server.fetch;` and so on for each method. */
function moduleOf({ server }: Mount): RouteModule {
  const { fetch } = server;
  return { GET: fetch, POST: fetch, PUT: fetch, PATCH: fetch, DELETE: fetch, HEAD: fetch, OPTIONS: fetch };
}

/** How a framework hands a request over. */
type Wrap = (request: Request) => Request;

async function ownPage(request: Request): Promise<Response> {
  const page = `${request.method} ${new URL(request.url).pathname}`;
  if (page === "GET /before") return new Response(OWN.before);
  if (page === "POST /echo") return Response.json(await request.json());
  if (page === "GET /after") return new Response(OWN.after);
  if (page === "GET /trackers") return new Response(OWN.beside);
  return new Response(OWN.missing, { status: 404 });
}

function webHost(name: string, wrap: Wrap): Host {
  return {
    name,
    keepsPrefix: true,
    readsPaths: true,
    isWebStandard: true,
    isInProcess: true,
    async start(mounts) {
      const routes = mounts.map((mount) => ({ prefix: mount.prefix, module: moduleOf(mount) }));
      return webSite(async (request) => {
        const { pathname } = new URL(request.url);
        const found = routes.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
        if (found === undefined || pathname === "/before" || pathname === "/echo") return ownPage(request);
        const handler = found.module[request.method];
        if (handler === undefined) return new Response(null, { status: 405 });
        const answer = await handler(wrap(request), { params: Promise.resolve({ rest: pathname.split("/") }) });
        // Frameworks refuse anything else.
        if (!(answer instanceof Response)) throw new TypeError("the route gave no Response");
        return answer;
      });
    },
  };
}

/** The site of a handler of web-standard requests. */
export function webSite(answer: (request: Request) => Promise<Response>): Site {
  const send: Send = async (method, path, content, headers = {}) => {
    const raw = content === undefined || typeof content === "string" || Buffer.isBuffer(content);
    const bytes = content === undefined ? null : Buffer.from(raw ? content : JSON.stringify(content));
    const { "Transfer-Encoding": coding, ...rest } = headers as Record<string, string>;
    const body = coding === "chunked" && bytes !== null ? streamOf(bytes) : bytes;
    const given = await answer(
      new Request(ORIGIN + path, {
        method,
        headers: { ...(bytes !== null && { "Content-Type": "application/json" }), ...rest },
        body,
        ...{ duplex: "half" },
      }),
    );
    return {
      status: given.status,
      headers: Object.fromEntries(given.headers),
      body: Buffer.from(await given.arrayBuffer()),
    };
  };
  return { send, origin: ORIGIN, urls: [], open: (path) => open(answer, path), close: async () => undefined };
}

function streamOf(bytes: Buffer): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 65_536));
      at += 65_536;
    },
  });
}

async function open(answer: (request: Request) => Promise<Response>, path: string): Promise<Download> {
  const { status, body } = await answer(new Request(ORIGIN + path));
  if (body === null) throw new Error(`${path} was answered without a body`);
  const reader = body.getReader();
  return {
    status,
    next: async () => (await reader.read()).value,
    leave: () => reader.cancel(),
  };
}

/** As Next passes requests: a stand-in whose methods are bound to the request behind it. */
function standIn(request: Request): Request {
  return new Proxy(request, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A subclass with more in it, as frameworks have one. */
class RichRequest extends Request {
  readonly cookies: ReadonlyMap<string, string> = new Map();
  readonly nextUrl: URL = new URL(this.url);
}

export const WEB_HOSTS: readonly Host[] = [
  webHost("web-standard routes", (request) => request),
  webHost("web-standard routes with requests of a subclass", (request) => new RichRequest(request)),
  webHost("web-standard routes with stand-ins for requests", standIn),
];
