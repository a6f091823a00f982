// Holds every answer that a test gets to the OpenAPI document: what the document does not allow fails the test.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type ApiDocument, type ApiOperation, type ApiResponse, apiDocument, resolved } from "./document.js";

/** An answer, and the request that it belongs to. */
export interface Answered {
  readonly method: string;
  /** As it was sent: with the prefix of a host, a query string, doubled slashes. */
  readonly path: string;
  readonly status: number;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly body: string | Uint8Array;
}

/** How many answers of this process were looked at. */
export interface AnswerCounts {
  /** Held to an operation of the document. */
  operations: number;
  /** Of the API, but of no operation: preflights, wrong methods, unknown paths. */
  others: number;
  /** Of the API browser, beside the API, or of a host: the document says nothing about them. */
  pages: number;
}

/** Of this process; told at its end to who asks by `COUNT_ANSWERS=1`. */
export const answerCounts: AnswerCounts = { operations: 0, others: 0, pages: 0 };
if (process.env["COUNT_ANSWERS"] === "1") {
  process.once("exit", () => console.error(`answers checked: ${JSON.stringify(answerCounts)}`));
}

/** With this header a host of a test says that an answer is its own. */
const OF_HOST = "x-of-host";

/** @throws Error for an answer that the document does not allow */
export function checkAnswer(answered: Answered): void {
  const place = placeOf(answered.path);
  if (place === "beside" || answered.header(OF_HOST) !== undefined) {
    answerCounts.pages++;
    return;
  }
  const problem = place === "unknown" ? unknownProblem(answered) : itemProblem(place, answered);
  if (problem === undefined) return;
  const body = textOf(answered.body).slice(0, 300);
  throw new Error(
    `the OpenAPI document does not allow the answer ${answered.status} ${body} to ${answered.method} ` +
      `${answered.path.slice(0, 200)}: ${problem}`,
  );
}

const HERE = "http://localhost";

/**
 * Asks, and holds the answer to the document. The whole body is read, so that it is not for endless ones.
 *
 * @param ask the global `fetch`, or that of a server
 * @throws Error for an answer that the document does not allow
 */
export async function checkedFetch(
  input: Request | URL | string,
  init?: RequestInit,
  ask: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  const isWhole = input instanceof Request && init === undefined;
  const request = isWhole ? input : new Request(input instanceof Request ? input : new URL(input, HERE), init);
  const { method } = request;
  const { pathname, search } = new URL(request.url);
  const answer = await ask(request);
  const { status, statusText, headers } = answer;
  const body = Buffer.from(await answer.arrayBuffer());
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  checkAnswer({ method, path: pathname + search, status, header, body });
  return new Response(body.length === 0 ? null : body, { status, statusText, headers });
}

/** What the document has of a path. */
interface PathItem {
  /** As it stands in the document. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, ApiOperation>>;
}

let loaded: Checker | undefined;

interface Checker {
  readonly document: ApiDocument;
  readonly items: readonly PathItem[];
  /** @returns why a value does not fit the schema at a JSON pointer of the document, `undefined` when it does */
  problemOf(pointer: string, value: unknown): string | undefined;
}

function checker(): Checker {
  loaded ??= createChecker(apiDocument());
  return loaded;
}

function createChecker(document: ApiDocument): Checker {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  ajv.addSchema({ ...closed(document), $id: "api" });
  const validators = new Map<string, ValidateFunction>();
  return {
    document,
    items: Object.entries(document.paths).map(([path, operations]) => ({
      path,
      pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}/?$`),
      operations,
    })),
    problemOf(pointer, value) {
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api${pointer}` });
      validators.set(pointer, validate);
      return validate(value) ? undefined : `${pointer}: ${ajv.errorsText(validate.errors)}`;
    },
  };
}

/** An answer with a field that the document does not mention is a gap in the document. */
function closed(document: ApiDocument): ApiDocument {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const isOpen = typeof schema === "object" && schema !== null && "properties" in schema;
    return [name, isOpen ? { additionalProperties: false, ...schema } : schema];
  });
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

function placeOf(sent: string): PathItem | "unknown" | "beside" {
  const given = sent.replace(/^https?:\/\/[^/]*/, "").replace(/\/{2,}/g, "/");
  const { pathname } = new URL(given, HERE);
  // Which characters are escaped makes no difference, but for those that would mean something else.
  const path = pathname
    .replace(/\/{2,}/g, "/")
    .replace(/%(?:[46][1-9a-f]|[57][0-9a]|3\d|2[de]|5f|7e)/gi, decodeURIComponent);
  const from = path.startsWith("/api/0/") ? 0 : path.indexOf("/api/0/");
  const below = from >= 0 ? path.slice(from) : path.slice(Math.max(0, `${path}/`.lastIndexOf("/api/")));
  // Of `events/{eventId}` and `events/delete` the one that says more.
  const parameters = (path: string): number => path.split("{").length;
  const fitting = checker().items.filter(({ pattern }) => pattern.test(below));
  const [item] = fitting.sort((a, b) => parameters(a.path) - parameters(b.path));
  if (item !== undefined) return item;
  // The API browser and its files.
  if (/^\/api\/?$|^\/api\/assets\//.test(below)) return "beside";
  return `${below}/`.startsWith("/api/") ? "unknown" : "beside";
}

/** Statuses that the rules of access, the host's decision and a failing server can give anywhere. */
const ANYWHERE: ReadonlySet<number> = new Set([400, 401, 403, 408, 431, 500, 503]);

function unknownProblem(answered: Answered): string | undefined {
  answerCounts.others++;
  if (isPreflight(answered)) return preflightProblem(answered);
  if (answered.status !== 404 && !ANYWHERE.has(answered.status)) return "the path is not in the document";
  return contentProblem("#/components/responses/NoSuchRoute", answered);
}

function itemProblem({ path, operations }: PathItem, answered: Answered): string | undefined {
  const { method, status } = answered;
  const offered = Object.keys(operations).map((name) => name.toUpperCase());
  const operation = operations[(method === "HEAD" ? "GET" : method).toLowerCase()];
  if (operation === undefined) {
    answerCounts.others++;
    if (isPreflight(answered)) return preflightProblem(answered);
    if (status !== 405) {
      return ANYWHERE.has(status)
        ? contentProblem("#/components/responses/MethodNotAllowed", answered)
        : "no operation";
    }
    const allow = [...offered, ...(offered.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
    const given = answered.header("allow")?.split(", ") ?? [];
    if (given.toSorted().join() !== allow.toSorted().join()) return `Allow is ${given}; the document has ${allow}`;
    return contentProblem("#/components/responses/MethodNotAllowed", answered);
  }
  answerCounts.operations++;
  const place = isVeto(answered) || operation.responses[status] === undefined ? "default" : status;
  const response = operation.responses[place];
  if (response === undefined) return `${operation.operationId} has no such status`;
  const key = path.replaceAll("~", "~0").replaceAll("/", "~1");
  const verb = (method === "HEAD" ? "GET" : method).toLowerCase();
  const pointer = "$ref" in response ? response.$ref : `#/paths/${encodeURIComponent(key)}/${verb}/responses/${place}`;
  return contentProblem(pointer, answered) ?? codeProblem(pointer, answered);
}

/** Hooks choose the status of their vetoes. */
function isVeto({ method, body, status }: Answered): boolean {
  const isUsual = status < 400 || status === 403 || method === "HEAD";
  return !isUsual && (JSON.parse(textOf(body)) as { readonly code?: string }).code === "VETOED";
}

/** A response of the document has an example of each error that it stands for. */
function codeProblem(pointer: string, { method, body, status }: Answered): string | undefined {
  if (status < 400 || method === "HEAD") return undefined;
  const { content = {} } = resolved(checker().document, decodeURIComponent(pointer)) as ApiResponse;
  const { code } = JSON.parse(textOf(body)) as { readonly code?: string };
  const isKnown = code === undefined || code in (content["application/json"]?.examples ?? {});
  return isKnown ? undefined : `it has no error ${code}`;
}

function isPreflight({ method, status }: Answered): boolean {
  return method === "OPTIONS" && status === 204;
}

function preflightProblem({ body, header }: Answered): string | undefined {
  if (body.length > 0) return "an answer to OPTIONS has no body";
  return header("allow") === undefined ? "an answer to OPTIONS has Allow" : undefined;
}

/** @param pointer to a response of the document */
function contentProblem(pointer: string, { method, body, header }: Answered): string | undefined {
  const { document, problemOf } = checker();
  const response = resolved(document, decodeURIComponent(pointer)) as ApiResponse;
  const { content } = response;
  const type = header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (content === undefined) return body.length > 0 || type !== undefined ? "it has no body" : undefined;
  const others = response["x-other-content"] ?? {};
  if (type === undefined || (content[type] ?? others[type]) === undefined) return `its content type is ${type}`;
  if (method === "HEAD") return body.length > 0 ? "an answer to HEAD has no body" : undefined;
  let value: unknown;
  try {
    value = type === "application/json" ? JSON.parse(textOf(body)) : textOf(body);
  } catch {
    return "it is not JSON";
  }
  const kind = content[type] === undefined ? "x-other-content" : "content";
  return problemOf(`${pointer}/${kind}/${type.replaceAll("/", "~1")}/schema`, value);
}

function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
}
