import type { WebFolder } from "./app.js";

const NO_FILE = new Response(null);

/**
 * Serves the files of a folder as they are: `/` is its `index.html`, an unknown path has no file. Nothing outside the
 * folder, no link that leads out of it and no dot file is ever served.
 *
 * @param folder path of the folder
 */
export function openWebFolder(folder: string): WebFolder {
  // Loaded at the first request: without a web UI nothing of it is needed.
  const loading = import("srvx/static").then(({ staticMiddleware }) =>
    staticMiddleware({ dir: folder, ranges: false }),
  );
  loading.catch(() => undefined);
  return async (request) => {
    const serve = await loading;
    const response = await serve(request, () => NO_FILE);
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
