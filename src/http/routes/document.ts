import { later } from "../../util/later.js";
import { type HttpResponse, jsonResponse, type RequestContext } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";

const loadDescription = later(() => import("../../api/openapi.js"));

/** What the document tells about this server. */
export interface DocumentFacts {
  /** Of the package, without a `v`. */
  readonly version: string;
  /** Whether an API key has to be sent. */
  readonly needsKey: boolean;
}

/** The description of the interface, loaded and made when it is first asked for. */
export function documentHandlers(facts: DocumentFacts): Handlers<"getOpenApiDocument" | "getSwaggerDocument"> {
  const texts = new Map<string, string>();

  async function handle(_request: RequestContext, { path }: RouteContext): Promise<HttpResponse> {
    // Only who asks knows the prefixes that embedders and proxies took off. Relative to `<prefix>/api/openapi.json`.
    const serverUrl = path.endsWith("/") ? "../.." : "..";
    const { openApiDocument } = await loadDescription();
    const text = texts.get(serverUrl) ?? JSON.stringify(openApiDocument({ ...facts, serverUrl }));
    texts.set(serverUrl, text);
    return jsonResponse(text);
  }

  return { getOpenApiDocument: handle, getSwaggerDocument: handle };
}
