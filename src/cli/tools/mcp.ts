import { createInterface } from "node:readline";
import type { Fetch } from "../../client/index.js";
import { nodeFetch } from "../../client/node-fetch.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import { messageOf } from "../../errors.js";
import type { CommandOptions } from "../command-options.js";
import { usageError } from "../launch-error.js";
import { readApiKey } from "../option-files.js";
import { requireFolder } from "./place.js";
import { requireServer } from "./target.js";

interface Upstream {
  readonly url: string;
  readonly send: Fetch;
  readonly key: string | undefined;
}

/**
 * Connects an assistant that starts programs with a running server: each line of the input is a message, and each
 * response a line of the output. The bridge has no rights of its own: what it discloses depends on the key.
 *
 * @returns the exit code
 */
export async function mcp(options: CommandOptions<"mcp">): Promise<number> {
  const { streams, keyFile } = options;
  const key = keyFile === undefined ? undefined : (await readApiKey(keyFile)).key;
  const bridge = new Bridge({ ...(await findUpstream(options)), key }, (message) => {
    streams.stdout.write(`${JSON.stringify(message)}\n`);
  });
  const pending = new Set<Promise<void>>();
  for await (const line of createInterface({ input: streams.stdin })) {
    if (line.trim() === "") continue;
    const work = bridge.forward(line).finally(() => pending.delete(work));
    pending.add(work);
    // Later messages depend on the version that the first one negotiates.
    if (!bridge.isReady) await work;
  }
  await Promise.all(pending);
  return 0;
}

async function findUpstream({ url, place }: CommandOptions<"mcp">): Promise<Omit<Upstream, "key">> {
  if (url !== undefined) {
    if (!URL.canParse(url)) throw usageError("--url must be a URL such as http://127.0.0.1:5600");
    return { url: `${url.replace(/\/+$/, "")}/mcp`, send: (target, init) => fetch(target, init) };
  }
  const { token: _, ...address } = await requireServer(
    requireFolder(place, "only a server with a data folder can be found; name another one with --url").path,
  );
  return { url: `${address.address}/mcp`, send: nodeFetch(address) };
}

const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

class Bridge {
  readonly #upstream: Upstream;
  readonly #reply: (message: JsonValue) => void;
  #version: string | undefined;
  /** Whether a first message was sent. */
  isReady = false;

  constructor(upstream: Upstream, reply: (message: JsonValue) => void) {
    this.#upstream = upstream;
    this.#reply = reply;
  }

  async forward(line: string): Promise<void> {
    let message: JsonValue;
    try {
      message = JSON.parse(line);
    } catch {
      this.#fail(null, PARSE_ERROR, "the line is not JSON");
      return;
    }
    const { id = null, method } = asObject(message);
    try {
      for (const response of await this.#send(message, line)) {
        this.#notice(method, response);
        this.#reply(response);
      }
    } catch (cause) {
      // A notification has no response.
      if (id !== null) this.#fail(id, INTERNAL_ERROR, messageOf(cause));
    }
    this.isReady = true;
  }

  #fail(id: JsonValue, code: number, message: string): void {
    this.#reply({ jsonrpc: "2.0", id, error: { code, message } });
  }

  /** Older clients negotiate the version once, newer ones send it with each request. */
  #notice(method: JsonValue | undefined, response: JsonValue): void {
    const { protocolVersion } = asObject(asObject(response)["result"]);
    if (method === "initialize" && typeof protocolVersion === "string") this.#version = protocolVersion;
  }

  async #send(message: JsonValue, body: string): Promise<readonly JsonValue[]> {
    const { url, send } = this.#upstream;
    const response = await send(url, { method: "POST", headers: this.#headersOf(message), body });
    const text = await response.text();
    const found = parseResponses(response.headers.get("content-type") ?? "", text);
    if (found.every((each) => asObject(each)["jsonrpc"] === "2.0")) return found;
    if (response.status === 404) throw new Error("the server does not serve assistants; start it with --mcp");
    const { message: reason } = asObject(found[0]);
    throw new Error(`the server responded with ${response.status}: ${String(reason ?? text.slice(0, 200))}`);
  }

  #headersOf(message: JsonValue): Record<string, string> {
    const { method, params } = asObject(message);
    const { name, _meta: meta } = asObject(params);
    const own = asObject(meta)[VERSION_KEY];
    const version = typeof own === "string" ? own : this.#version;
    const { key } = this.#upstream;
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(version !== undefined && { "mcp-protocol-version": version }),
      ...(typeof method === "string" && { "mcp-method": encodeURI(method) }),
      ...(typeof name === "string" && { "mcp-name": encodeURI(name) }),
    };
  }
}

/** The value, or an object without members in the place of all others. */
function asObject(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** The messages of a response: JSON, or events with JSON. */
function parseResponses(type: string, text: string): readonly JsonValue[] {
  if (text.trim() === "") return [];
  if (type.startsWith("application/json")) return [JSON.parse(text)];
  if (!type.startsWith("text/event-stream")) return [{ message: text.slice(0, 200) }];
  return text.split(/\r?\n/).flatMap((line) => {
    const data = line.startsWith("data:") ? line.slice("data:".length).trim() : "";
    return data === "" ? [] : [JSON.parse(data)];
  });
}
