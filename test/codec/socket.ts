// Requests over a real socket, byte for byte as a scenario gives them: the path is not normalised, the Host header may
// be wrong, empty or missing, and nothing is added that was not asked for.
import http from "node:http";
import { checkAnswer } from "../api/answer-check.js";

/** One request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as they are; the only ones that are added are `Connection` and, with a body, `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A client of one server that keeps its connections open between requests. */
export interface WireClient {
  send(request: WireRequest): Promise<WireAnswer>;
  close(): void;
}

/** A header of an answer in one text. */
export function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(", ");
}

/** A header of an answer, by its name in lower case. */
export function header({ headers }: Pick<WireAnswer, "headers">, name: string): string | undefined {
  return headerText(headers[name]);
}

/** Connects to 127.0.0.1. Rejects for answers that the OpenAPI document of the server does not allow. */
export function wireClient(port: number): WireClient {
  const agent = new http.Agent({ keepAlive: true });
  const send = ({ method, path, headers, body }: WireRequest): Promise<WireAnswer> =>
    new Promise((resolve, reject) => {
      const length = body && { "Content-Length": String(body.length) };
      const request = http.request({
        agent,
        host: "127.0.0.1",
        port,
        method,
        path,
        setHost: false,
        headers: { ...headers, ...length },
      });
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const answer = { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
          try {
            checkAnswer({ method, path, ...answer, header: (name) => headerText(answer.headers[name]) });
            resolve(answer);
          } catch (problem) {
            reject(problem);
          }
        });
      });
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}
