import type { Logger } from "../logger.js";
import type { Storage } from "../storage/storage.js";
import { createPageServer, type OpenPage, openBuilt, redirectTo } from "./pages.js";
import { jsonResponse, type RequestContext } from "./request-context.js";
import type { Route } from "./route.js";

const PATHS = { page: "/", asset: "/assets/:asset", facts: "/server.json" } as const;

/**
 * The routes of the dashboard. Page and files are served without the key, like those of the API browser: what they show
 * they ask the API for, which demands it.
 *
 * @param storage for the page's header
 * @param open opens the files, when the first of them is asked for
 */
export function dashboardRoutes(
  storage: Pick<Storage, "traits">,
  logger: Logger,
  open: OpenPage = openBuilt,
): readonly Route[] {
  const own = createPageServer("dashboard", "the dashboard", logger, open);
  return [
    {
      method: "GET",
      path: PATHS.page,
      summary: "Show the dashboard",
      open: true,
      async handle(request) {
        const toPage = slashBehind(request);
        return toPage === undefined ? own.page(request, PLAIN_PAGE) : redirectTo(toPage);
      },
    },
    {
      method: "GET",
      path: PATHS.asset,
      summary: "Give a file that the dashboard loads",
      open: true,
      handle: (request, { params }) => own.asset(request, params.get("asset") ?? ""),
    },
    {
      method: "GET",
      path: PATHS.facts,
      summary: "Tell the dashboard where this server keeps its data",
      async handle() {
        const { adapter, durability } = storage.traits;
        return jsonResponse(JSON.stringify({ storage: adapter, durability }));
      },
    },
  ];
}

/**
 * Where the page is when it was asked for without the slash that its links begin at; `undefined` when it was not.
 * Whoever cut the prefix off has cut all of it, so the path as the client wrote it is looked at.
 */
function slashBehind({ host: { node, web }, search }: RequestContext): string | undefined {
  // What express and those that are made like it keep of the path before they cut it.
  const { originalUrl = node?.url } = (node ?? {}) as { originalUrl?: unknown };
  const target = typeof originalUrl === "string" ? originalUrl : web?.url;
  if (target === undefined) return undefined;
  const path = (target.split(/[?#]/, 1)[0] ?? "").replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  const last = path.slice(path.lastIndexOf("/") + 1);
  // With the dot in front a colon in the name makes no scheme of it.
  return last === "" ? undefined : `./${last}/${search === "" ? "" : `?${search}`}`;
}

const PLAIN_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>activity-server</title>
<p>The files of the dashboard are not installed with this server. Its <a href="api/">API</a> is there.</p>
</html>
`;
