import { gather } from "./buffering.js";
import type { Chunk, HttpResponse, RequestContext } from "./request-context.js";

/**
 * Serves files outside the API; resolves `undefined` if there is none.
 *
 * @param path below the mount point
 */
export type WebFolder = (
  request: Pick<RequestContext, "method" | "header" | "takesEncoded">,
  path: string,
) => Promise<HttpResponse | undefined>;

/**
 * Serves the files of a folder: `/` is its `index.html`; an unknown path has no file. Files outside the folder, links
 * that leave it and dot files are never served.
 *
 * @param folder path of the folder
 */
export function openWebFolder(folder: string): WebFolder {
  // Loaded here: only needed with a web UI.
  const loading = import("#static-files").then(({ staticMiddleware }) =>
    staticMiddleware({ dir: folder, ranges: false }),
  );
  loading.catch(() => undefined);
  // Created on demand: the first `Response` of a process loads all of fetch, which takes 30 ms.
  const noFile = new Response(null);
  return async (request, path) => {
    if (UNSERVED.test(path)) return undefined;
    const serve = await loading;
    const response = await serve(webRequest(request, path), () => noFile);
    // A path that cannot be decoded matches no file.
    if (response === noFile || response.status === 400) return undefined;
    const headers: Record<string, string> = Object.fromEntries(response.headers);
    if (headers["content-type"]?.startsWith("text/html")) {
      // The file server also serves `admin.html` for `/admin`: a proxy that protects the one may not know the other.
      if (!PAGE_PATH.test(path)) return undefined;
      Object.assign(headers, PAGE_HEADERS);
    }
    const { status, body } = response;
    // A file that cannot be read still becomes an error response, unless it is large.
    return { status, headers, body: body === null ? null : await gather(chunksOf(body)) };
  };
}

/** Only the page itself keeps its name when its content changes. No other site may show it in a frame. */
const PAGE_HEADERS = { "cache-control": "no-cache", "content-security-policy": "frame-ancestors 'self'" };

/** Parent segments, dot files, and backslashes, which separate segments on some platforms. */
const UNSERVED = /\/(?:\.|%2e)|\\|%5c/i;

/** A path of a page, or of a folder with an `index.html`. */
const PAGE_PATH = /(?:\/|\.html?)$/i;

/** The conditional headers for a file. */
const CONDITIONS = ["if-none-match", "if-modified-since"];

/** The request in the form of the file server. Only GET and HEAD serve files, so there is no body. */
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
