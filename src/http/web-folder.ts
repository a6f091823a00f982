import { gather } from "./buffering.js";
import type { Chunk, HttpResponse, RequestContext } from "./request-context.js";

/**
 * Serves files beside the API; resolves `undefined` when there is none.
 *
 * @param path below the place where the server is mounted
 */
export type WebFolder = (
  request: Pick<RequestContext, "method" | "header" | "takesEncoded">,
  path: string,
) => Promise<HttpResponse | undefined>;

/**
 * Serves the files of a folder as they are: `/` is its `index.html`, an unknown path has no file. Nothing outside the
 * folder, no link that leads out of it and no dot file is ever served.
 *
 * @param folder path of the folder
 */
export function openWebFolder(folder: string): WebFolder {
  // Loaded here: without a web UI nothing of it is needed.
  const loading = import("#static-files").then(({ staticMiddleware }) =>
    staticMiddleware({ dir: folder, ranges: false }),
  );
  loading.catch(() => undefined);
  // Made here as well: the first response of a process loads all of fetch, 30 ms for nothing.
  const noFile = new Response(null);
  return async (request, path) => {
    if (UNSERVED.test(path)) return undefined;
    const serve = await loading;
    const response = await serve(webRequest(request, path), () => noFile);
    // A path that cannot be decoded names no file.
    if (response === noFile || response.status === 400) return undefined;
    const headers: Record<string, string> = Object.fromEntries(response.headers);
    if (headers["content-type"]?.startsWith("text/html")) {
      // The file server finds `admin.html` for `/admin` as well: a proxy that guards the one may not know the other.
      if (!PAGE_PATH.test(path)) return undefined;
      Object.assign(headers, PAGE_HEADERS);
    }
    const { status, body } = response;
    // A file that cannot be read then still becomes an error response, as long as it is not large.
    return { status, headers, body: body === null ? null : await gather(chunksOf(body)) };
  };
}

/** Only the page itself has a name that stays when its content changes; and no other site may hide it in a frame. */
const PAGE_HEADERS = { "cache-control": "no-cache", "content-security-policy": "frame-ancestors 'self'" };

/** Steps, dot files, and backslashes, which are steps on some platforms. */
const UNSERVED = /\/(?:\.|%2e)|\\|%5c/i;

/** A path that names a page itself, or a folder whose `index.html` is one. */
const PAGE_PATH = /(?:\/|\.html?)$/i;

/** What decides whether a file is sent. */
const CONDITIONS = ["if-none-match", "if-modified-since"];

/** The request as the file server takes it. Only GET and HEAD lead to files, so there is no body to take along. */
function webRequest(request: Parameters<WebFolder>[0], path: string): Request {
  const url = new URL("http://localhost");
  url.pathname = path;
  const headers = new Headers();
  for (const name of request.takesEncoded ? [...CONDITIONS, "accept-encoding"] : CONDITIONS) {
    const value = request.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(url, { method: request.method, headers });
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Chunk> {
  yield* body;
}
