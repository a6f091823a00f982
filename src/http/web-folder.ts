/**
 * Serves files beside the API; resolves `undefined` when there is none.
 *
 * @param path below the place where the server is mounted
 */
export type WebFolder = (request: Request, path: string) => Promise<Response | undefined>;

const NO_FILE = new Response(null);

/** Neither a bundler for browsers nor one for Node should follow it: the core runs without Node. */
const STATIC: string = "srvx/static";

/**
 * Serves the files of a folder as they are: `/` is its `index.html`, an unknown path has no file. Nothing outside the
 * folder, no link that leads out of it and no dot file is ever served.
 *
 * @param folder path of the folder
 */
export function openWebFolder(folder: string): WebFolder {
  // Loaded here: without a web UI nothing of it is needed.
  const loading = (import(STATIC) as Promise<typeof import("srvx/static")>).then(({ staticMiddleware }) =>
    staticMiddleware({ dir: folder, ranges: false }),
  );
  loading.catch(() => undefined);
  return async (request, path) => {
    const serve = await loading;
    const response = await serve(at(request, path), () => NO_FILE);
    // A path that cannot be decoded names no file.
    if (response === NO_FILE || response.status === 400) return undefined;
    response.headers.set("x-content-type-options", "nosniff");
    // Only the page itself has a name that stays when its content changes.
    if (response.headers.get("content-type")?.startsWith("text/html")) {
      response.headers.set("cache-control", "no-cache");
    }
    return response;
  };
}

/** The same request for another path. Only GET and HEAD lead to files, so there is no body to take along. */
function at({ url, method, headers }: Request, path: string): Request {
  const moved = new URL(url);
  moved.pathname = path;
  return new Request(moved, { method, headers });
}
