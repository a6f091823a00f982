import type { Logger } from "../logger.js";
import type { Storage } from "../storage/storage.js";
import { type DashboardOptions, dashboardHead } from "./dashboard-options.js";
import { MACHINE, type MachineOption, machineHead, machineRoutes } from "./machine.js";
import { createPageServer, type OpenPage, openBuilt } from "./pages.js";
import { jsonResponse } from "./request-context.js";
import type { Route } from "./route.js";

const PATHS = { page: "/", asset: "/assets/:asset", facts: "/server.json" } as const;

interface Options extends MachineOption {
  readonly dashboard?: DashboardOptions | undefined;
  readonly mcp?: boolean | undefined;
}

/**
 * The routes of the dashboard. Its page and files are served without the key, as in the API browser: all data
 * come from the API, which requires the key.
 *
 * @param storage for the page's header
 * @param open opens the files on the first request
 */
export function dashboardRoutes(
  storage: Pick<Storage, "ready" | "traits">,
  logger: Logger,
  { dashboard = {}, mcp = false, [MACHINE]: machine }: Options = {},
  open: OpenPage = openBuilt,
): readonly Route[] {
  const head = dashboardHead(dashboard) + machineHead(machine);
  const settings = { frameAncestors: dashboard.frameAncestors, head };
  const own = createPageServer("dashboard", { title: "the dashboard", logger, open, settings });
  return [
    {
      method: "GET",
      path: PATHS.page,
      summary: "Show the dashboard",
      open: true,
      handle: (request) => own.page(request),
    },
    {
      method: "GET",
      path: PATHS.asset,
      summary: "Get a file of the dashboard",
      open: true,
      handle: (request, { params }) => own.asset(request, params.get("asset") ?? ""),
    },
    {
      method: "GET",
      path: PATHS.facts,
      summary: "Tell the dashboard where this server keeps its data",
      async handle() {
        // A storage that a function creates has no name before it is ready.
        await storage.ready();
        const { adapter, durability } = storage.traits;
        return jsonResponse(JSON.stringify({ storage: adapter, durability, assistants: mcp }));
      },
    },
    ...machineRoutes(machine),
  ];
}
