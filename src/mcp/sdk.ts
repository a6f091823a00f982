// The parts of `@modelcontextprotocol/server` that this server uses. The package is optional.
import type { JsonObject, JsonValue } from "../domain/json.js";
import { isModuleMissing } from "../errors.js";

/** A request of the protocol. */
export interface McpRequest {
  readonly params?: { readonly name?: string; readonly arguments?: JsonObject };
}

/** A server for one request. */
export interface McpServer {
  setRequestHandler(method: string, handle: (request: McpRequest) => object | Promise<object>): void;
}

/** The package. */
export interface Sdk {
  readonly Server: new (
    info: { readonly name: string; readonly title: string; readonly version: string },
    options: { readonly capabilities: object; readonly instructions: string },
  ) => McpServer;
  readonly ProtocolError: new (code: number, message: string) => Error;
  createMcpHandler(
    create: () => McpServer,
    options: { readonly maxSubscriptions: number; onerror(error: Error): void },
  ): { fetch(request: Request, options: { readonly parsedBody: JsonValue }): Promise<Response> };
}

/** A variable, so that bundlers do not require the package. */
const NAME: string = "@modelcontextprotocol/server";

/** Tells the owner how to install the package. */
export const INSTALL: string = `${NAME} is not installed; run: npm install ${NAME}@2`;

/** Loads the package; the runtime caches it. @returns `undefined` if it is not installed */
export async function loadSdk(name: string = NAME): Promise<Sdk | undefined> {
  try {
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as Sdk;
  } catch (cause) {
    if (isModuleMissing(cause)) return undefined;
    throw cause;
  }
}
