// The official client, connected to a server in process or by a URL.

import type { JsonObject } from "../../src/domain/json.js";
import type { ActivityServer } from "../../src/index.js";

/** A result of a tool. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: JsonObject;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

interface McpToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
}

/** The part of the official client that tests use. */
export interface McpClient {
  listTools(): Promise<{ readonly tools: readonly McpToolDescription[] }>;
  callTool(call: { name: string; arguments?: object }): Promise<ToolResult>;
  listPrompts(): Promise<{ readonly prompts: readonly { name: string }[] }>;
  getPrompt(prompt: { name: string }): Promise<{ messages: readonly { content: { text: string } }[] }>;
  getNegotiatedProtocolVersion?(): string | undefined;
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
}

interface Sdk {
  readonly Client: new (info: object, options?: object) => McpClient;
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => object;
}

const NAME: string = "@modelcontextprotocol/client";
const { Client, StreamableHTTPClientTransport } = (await import(NAME)) as Sdk;

/** How a client speaks: with the newest revision, or with that of older clients. */
export type Era = "modern" | "legacy";

/** The client without a connection. */
export function createMcpClient(era: Era = "modern"): McpClient {
  const versionNegotiation = { mode: era === "modern" ? "auto" : "legacy" };
  return new Client({ name: "test", version: "1.0.0" }, { versionNegotiation });
}

/** Connects to a server in process, runs the body, and closes the client. */
export async function withMcp<T>(
  server: ActivityServer,
  { key, era }: { readonly key?: string | undefined; readonly era?: Era },
  body: (client: McpClient, responses: readonly string[]) => Promise<T>,
): Promise<T> {
  const client = createMcpClient(era);
  const responses: string[] = [];
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const send = async (url: URL | string, init: RequestInit): Promise<Response> => {
    const response = await server.fetch(new Request(url, init));
    responses.push(await response.clone().text());
    return response;
  };
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    ...{ fetch: send, requestInit: { headers } },
  });
  await client.connect(transport);
  try {
    return await body(client, responses);
  } finally {
    await client.close();
  }
}
