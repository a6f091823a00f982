// Responds to requests of the Model Context Protocol. docs/guides/assistants.md
import { decode } from "../api/codec.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { AbandonedError, ActivityError, fieldUnfit, mustBe } from "../errors.js";
import type { Logger } from "../logger.js";
import { type AssistantGrants, assistantGrants, type Grants } from "../service/access/grants.js";
import type { Service } from "../service/service.js";
import { VERSION } from "../util/version.js";
import { includes } from "./disclosure.js";
import { fitResult, toResult } from "./fit.js";
import type { DisclosureLog } from "./log.js";
import { PROMPTS, promptResult } from "./prompts.js";
import { QUERY } from "./query.js";
import { REPORT_TOOLS } from "./report-tools.js";
import { loadSdk, type McpRequest, type McpServer, type Sdk } from "./sdk.js";
import { STOPWATCH } from "./stopwatch.js";
import { SUGGEST_RULE } from "./suggest-rule.js";
import { type Caller, DATA_NOTICE, object, TEXT, type Tool } from "./tool.js";

/** A request to respond to. */
export interface Asked {
  readonly request: Request;
  readonly body: JsonValue;
  readonly grants: Grants;
  /** Acts on behalf of the caller. */
  readonly service: Service;
  readonly isGone: () => boolean;
  readonly logger: Logger;
  readonly log: DisclosureLog;
}

const TOOLS: readonly Tool[] = [...REPORT_TOOLS, SUGGEST_RULE, QUERY, STOPWATCH];
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** Responds to a request. @returns `undefined` if the package is not installed */
export async function respondToAssistant(asked: Asked): Promise<Response | undefined> {
  const sdk = await loadSdk();
  if (sdk === undefined) return undefined;
  const { request, body, logger } = asked;
  const handler = sdk.createMcpHandler(() => createServer(sdk, asked), {
    // Nothing changes while a request runs, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => logger.info?.(`MCP request refused: ${error.message}`),
  });
  return handler.fetch(request, { parsedBody: body });
}

function createServer(sdk: Sdk, asked: Asked): McpServer {
  const { grants, service, isGone } = asked;
  const { disclosure, grants: own } = assistantGrants(grants) as AssistantGrants;
  const caller: Caller = {
    ...{ disclosure, isGone },
    mayAppend: (bucketId) => own.allows("append", bucketId),
    service: service.withGrants({ ...own, ...(grants.caller && { caller: grants.caller }) }),
  };
  const offered = TOOLS.filter((tool) => includes(disclosure, tool.level) && (tool.isOffered?.(caller) ?? true));
  const server = new sdk.Server(
    { name: "activity-server", title: "Activity", version: VERSION },
    { capabilities: { tools: {}, prompts: {} }, instructions: `Reports recorded activity. ${DATA_NOTICE}` },
  );
  const unknown = (message: string): Error => new sdk.ProtocolError(INVALID_PARAMS, message);
  server.setRequestHandler("tools/list", () => ({ tools: offered.map(describeTool) }));
  server.setRequestHandler("tools/call", async ({ params = {} }: McpRequest) => {
    const tool = offered.find(({ name }) => name === params.name);
    if (tool === undefined) {
      throw unknown(`unknown tool ${params.name}; this key offers ${offered.map(({ name }) => name).join(", ")}`);
    }
    try {
      return await callTool(tool, params.arguments ?? {}, caller, asked);
    } catch (thrown) {
      if (thrown instanceof AbandonedError) throw thrown;
      // The package would send the message, which may contain paths.
      asked.logger.error(thrown);
      throw new sdk.ProtocolError(INTERNAL_ERROR, "internal error; see the server's log");
    }
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: PROMPTS.map(({ name, title, description }) => ({ name, title, description })),
  }));
  server.setRequestHandler("prompts/get", ({ params = {} }: McpRequest) => {
    const result = promptResult(params.name);
    if (result !== undefined) return result;
    throw unknown(`unknown prompt ${params.name}; prompts are ${PROMPTS.map(({ name }) => name).join(", ")}`);
  });
  return server;
}

const LEFT_OUT = { type: "array", items: object({ list: TEXT, rows: { type: "integer" } }) } as const;

function describeTool({ name, title, description, input, output, writes = false }: Tool): object {
  const common = { disclosure: TEXT, data_notice: TEXT };
  const outputSchema = object({ ...output, ...common, left_out: LEFT_OUT, note: TEXT }, ["left_out", "note"]);
  return {
    ...{ name, title, description: `${description} ${DATA_NOTICE}` },
    inputSchema: { ...input, additionalProperties: false },
    outputSchema,
    annotations: { readOnlyHint: !writes, destructiveHint: false, idempotentHint: !writes, openWorldHint: false },
  };
}

/** Runs a tool. Mistakes of the model are results, so that it can correct them. */
async function callTool(tool: Tool, args: JsonObject, caller: Caller, { grants, log }: Asked): Promise<object> {
  try {
    const decoded = decode({ ...tool.input, additionalProperties: false }, args, "") as JsonObject;
    checkSizes(tool, decoded);
    checkEnums(tool, decoded);
    const made = await tool.run(decoded, caller);
    const { disclosure } = caller;
    const value = fitResult({ ...made, disclosure, data_notice: DATA_NOTICE });
    const by = grants.caller;
    log.add({
      ...{
        time: new Date(caller.service.clock()).toISOString(),
        key: by?.kind === "key" ? by.name : null,
        tool: tool.name,
      },
      ...{ period: periodOf(decoded), level: disclosure, rows: countRows(value) },
    });
    return toResult(value);
  } catch (thrown) {
    // Messages of storages may contain paths.
    if (!ActivityError.is(thrown) || thrown.code.startsWith("STORAGE_")) throw thrown;
    return { isError: true, content: [{ type: "text", text: thrown.message }] };
  }
}

/** The codec has no maximum sizes. */
function checkSizes({ input }: Tool, args: JsonObject): void {
  for (const [name, { minItems = 0, maxItems = Infinity, maxLength = Infinity }] of Object.entries(
    input.properties ?? {},
  )) {
    const value = args[name];
    if (typeof value === "string" && value.length > maxLength) {
      throw fieldUnfit(name, `must have at most ${maxLength} characters, got ${value.length}`);
    }
    if (!Array.isArray(value) || (value.length >= minItems && value.length <= maxItems)) continue;
    throw fieldUnfit(name, `must have from ${minItems} to ${maxItems} items, got ${value.length}`);
  }
}

/** The codec leaves lists of strings to the code that uses them. */
function checkEnums({ input }: Tool, args: JsonObject): void {
  for (const [name, schema] of Object.entries(input.properties ?? {})) {
    const values = args[name];
    const known = schema.items?.enum;
    if (known === undefined || !Array.isArray(values)) continue;
    for (const [index, value] of values.entries()) {
      if (!known.includes(value)) throw mustBe(`${name}[${index}]`, `one of ${known.join(", ")}`, value);
    }
  }
}

function periodOf({ period }: JsonObject): string | null {
  return typeof period === "string" ? period : null;
}

/** The rows of all lists. */
function countRows(value: JsonValue): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countRows(inner), 0);
}
