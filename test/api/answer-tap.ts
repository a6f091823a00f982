// Listens in on a server of Node, for clients that are not ours to hook into.
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkAnswer } from "./answer-check.js";

interface Begun {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

/**
 * Holds everything that a port answers during the body to the OpenAPI document.
 *
 * @throws Error for the first answer that the document does not allow
 */
export async function withTap(port: number, body: () => Promise<void>): Promise<void> {
  const problems: unknown[] = [];
  const listen = (message: unknown): void => {
    const { request, response, server } = message as Begun;
    if ((server.address() as AddressInfo | null)?.port === port) tap(request, response, problems);
  };
  diagnostics.subscribe("http.server.request.start", listen);
  try {
    await body();
  } finally {
    diagnostics.unsubscribe("http.server.request.start", listen);
  }
  if (problems.length > 0) throw problems[0];
}

function tap(request: IncomingMessage, response: ServerResponse, problems: unknown[]): void {
  const { method = "GET", url: path = "/" } = request;
  const chunks: Buffer[] = [];
  const headers = new Map<string, string>();
  const { writeHead, write, end } = response;
  const keep = (chunk: unknown): void => {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    writeHead(...given: Parameters<typeof writeHead>) {
      const fields = given.find((part) => typeof part === "object");
      for (const [name, value] of fieldsOf(fields)) headers.set(name.toLowerCase(), String(value));
      return writeHead.apply(response, given);
    },
    write(...given: Parameters<typeof write>) {
      keep(given[0]);
      return write.apply(response, given);
    },
    end(...given: Parameters<typeof end>) {
      keep(given[0]);
      return end.apply(response, given);
    },
  });
  response.once("finish", () => {
    const whole = method === "HEAD" ? Buffer.alloc(0) : Buffer.concat(chunks);
    const header = (name: string): string | undefined => headers.get(name) ?? response.getHeader(name)?.toString();
    try {
      checkAnswer({ method, path, status: response.statusCode, header, body: whole });
    } catch (problem) {
      problems.push(problem);
    }
  });
}

/** Headers come as an object, or as a list in which names and values alternate. */
function fieldsOf(given: unknown): [name: string, value: unknown][] {
  if (!Array.isArray(given)) return Object.entries(given ?? {});
  const flat: unknown[] = given.flat();
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[String(name), flat[at + 1]] as [string, unknown]] : []));
}
