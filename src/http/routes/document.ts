import { deferModule } from "../../util/deferred-modules.js";
import { type HttpResponse, jsonResponse, type RequestContext } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";

const loadDescription = deferModule(() => import("../../api/openapi.js"));

export interface DocumentFacts {
  readonly version: string;
  readonly needsKey: boolean;
}

/** The description of the interface, loaded and created on the first request. */
export function documentHandlers(facts: DocumentFacts): Handlers<"getOpenApiDocument" | "getSwaggerDocument"> {
  const texts = new Map<string, string>();

  async function handle(_request: RequestContext, { path }: RouteContext): Promise<HttpResponse> {
    // Only the client knows the prefixes that embedders and proxies removed. Relative to `<prefix>/api/openapi.json`.
    const serverUrl = path.endsWith("/") ? "../.." : "..";
    const { openApiDocument } = await loadDescription();
    const text = texts.get(serverUrl) ?? JSON.stringify(openApiDocument({ ...facts, serverUrl }));
    texts.set(serverUrl, text);
    return jsonResponse(text);
  }

  return { getOpenApiDocument: handle, getSwaggerDocument: handle };
}
