// Turns the requests of a scenario into what goes over the wire.
import type { Bindings } from "./match.js";
import { expandRepeat } from "./match.js";
import type { FormPart, GeneratedEvents, HeartbeatRun, Json, RequestSpec } from "./scenario.js";
import type { WireRequest } from "./socket.js";

const BOUNDARY = "----recorded-case-boundary";
const BOUND_ID = /\{id:(\w+)\}/g;
const WHOLE_BOUND_ID = /^\{id:(\w+)\}$/;

interface Body {
  readonly body?: Buffer;
  readonly type?: string | null;
}

/** The request of a step, with its placeholders filled in. */
export function wireRequest(spec: RequestSpec, port: number, bindings: Bindings): WireRequest {
  const headers: Record<string, string> = {};
  // A missing Host means the server's own, null means none at all.
  if (spec.host !== null) headers["Host"] = spec.host ?? `127.0.0.1:${port}`;
  for (const [name, value] of Object.entries(spec.headers ?? {})) headers[name] = withPort(value, port);
  const { body, type } = bodyOf(spec, bindings);
  if (typeof type === "string") headers["Content-Type"] = type;
  const path = spec.path.replace(BOUND_ID, (_, name: string) => String(boundId(name, bindings)));
  return { method: spec.method, path, headers, ...(body && { body }) };
}

/** The request of the `index`-th heartbeat of a run. */
export function heartbeatSpec(run: HeartbeatRun, index: number): RequestSpec {
  const [timestamp, duration, dataIndex, pulsetime] = run.items[index] ?? malformed(`no heartbeat ${index}`);
  const data = run.datas[dataIndex] ?? malformed(`no data ${dataIndex}`);
  const path = `/api/0/buckets/${encodeURIComponent(run.bucket)}/heartbeat?pulsetime=${encodeURIComponent(pulsetime)}`;
  return { method: "POST", path, json: { timestamp, duration, data } };
}

/** Fills in `{port}`, in a header that is sent or expected. */
export function withPort(text: string, port: number): string {
  return text.replaceAll("{port}", String(port));
}

function bodyOf(spec: RequestSpec, bindings: Bindings): Body {
  if (spec.json !== undefined) {
    return { body: jsonBody(fill(spec.json, bindings)), type: spec.contentType ?? "application/json" };
  }
  if (spec.text !== undefined) {
    return { body: Buffer.from(spec.text), type: spec.contentType ?? null };
  }
  if (spec.generate) return { body: jsonBody(generate(spec.generate)), type: "application/json" };
  if (spec.multipart) return { body: formBody(spec.multipart), type: `multipart/form-data; boundary=${BOUNDARY}` };
  return {};
}

function jsonBody(value: Json): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Copies a value, replacing `{id:N}` and `{repeat:c:n}`; a key `__proto__` stays a key. */
function fill(value: Json, bindings: Bindings): Json {
  if (typeof value === "string") {
    const [, name] = WHOLE_BOUND_ID.exec(value) ?? [];
    if (name !== undefined) return boundId(name, bindings);
    return expandRepeat(value).replace(BOUND_ID, (_, inner: string) => String(boundId(inner, bindings)));
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, bindings));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, bindings)]));
}

function boundId(name: string, { ids }: Bindings): number {
  return ids.get(name) ?? malformed(`id ${name} is used before an answer has shown it`);
}

function generate({ count, start, stepSeconds, duration, data }: GeneratedEvents): Json {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(Date.parse(start) + index * stepSeconds * 1000).toISOString(),
    duration,
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, value === "$i" ? index : value])),
  }));
}

function formBody(parts: readonly FormPart[]): Buffer {
  const printed = parts.map(({ name, filename, contentType, text }) => {
    const file = filename === null ? "" : `; filename="${filename}"`;
    const type = contentType === null ? "" : `Content-Type: ${contentType}\r\n`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${text}\r\n`;
  });
  return Buffer.from(`${printed.join("")}--${BOUNDARY}--\r\n`);
}

function malformed(message: string): never {
  throw new Error(`malformed scenario: ${message}`);
}
