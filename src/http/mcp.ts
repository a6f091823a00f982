import type { Logger } from "../logger.js";
import { DisclosureLog } from "../mcp/log.js";
import { deferModule } from "../util/deferred-modules.js";
import { readJson } from "./body.js";
import { withClientWatch } from "./client-watch.js";
import { messageResponse } from "./errors.js";
import { type HttpResponse, jsonResponse, type RequestContext } from "./request-context.js";
import { type BodySizes, limitsOf, type Route } from "./route.js";

const loadMcp = deferModule(() => import("../mcp/serve.js"));

/** The path for assistants. */
export const MCP_PATH = "/mcp";

const LOG_PATH = "/api/0/assistant/log";

/** Headers of the protocol, and those that select the form of a response. */
const HEADERS: readonly string[] = [
  ...["accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id"],
];

/** The route for assistants (docs/guides/assistants.md); none unless it is switched on. */
export function mcpRoutes(
  options: BodySizes & { readonly mcp?: boolean | undefined },
  logger: Logger,
): readonly Route[] {
  if (!options.mcp) return [];
  const log = new DisclosureLog();
  return [
    {
      method: "GET",
      path: LOG_PATH,
      summary: "List the data that assistants got",
      needs: "owner",
      isReading: true,
      handle: async () => jsonResponse(JSON.stringify(log.list())),
    },
    {
      method: "POST",
      path: MCP_PATH,
      summary: "Respond to assistants",
      needs: "assistant",
      limits: limitsOf("single", options),
      isBuffered: true,
      async handle(request, context) {
        const body = await readJson(request, context.limits);
        const grants = await context.callerGrants();
        if (grants === undefined) throw new Error("the pipeline has checked the credentials");
        const { respondToAssistant } = await loadMcp();
        const { service } = context;
        const asked = { request: toWebRequest(request), body, grants, service, logger, log };
        const response = await withClientWatch(request, (isGone) => respondToAssistant({ ...asked, isGone }));
        if (response !== undefined) return toResponse(response);
        const { INSTALL } = await import("../mcp/sdk.js");
        return messageResponse(501, INSTALL);
      },
    },
  ];
}

function toWebRequest(request: RequestContext): Request {
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = request.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Request(`http://localhost${MCP_PATH}`, { method: "POST", headers });
}

async function toResponse(response: Response): Promise<HttpResponse> {
  const type = response.headers.get("content-type");
  const body = await response.text();
  return { status: response.status, headers: type === null ? {} : { "content-type": type }, body };
}
