import { ACTIONS, type ActionContext } from "../../actions/index.js";
import type { CallId, QueryIn } from "../../api/calls.js";
import { type DomainOf, decode, encode, encodePieces } from "../../api/codec.js";
import type { Operation } from "../../api/operation.js";
import { OPERATION_LIST, type OperationId } from "../../api/operations.js";
import { parametersSchema } from "../../api/parameters.js";
import type { Schema } from "../../api/schema.js";
import { SCHEMA_LIST, type SchemaName } from "../../api/schemas.js";
import type { JsonValue } from "../../domain/json.js";
import { readJson } from "../body.js";
import { gather } from "../buffering.js";
import { withClientWatch } from "../client-watch.js";
import { DONE, type HttpResponse, jsonResponse, type RequestContext } from "../request-context.js";
import type { Handler, Handlers, RouteContext } from "../route.js";

/** Handlers that decode a request, run its action and encode the result. */
export function actionHandlers(parts: ActionContext["parts"]): Handlers<CallId> {
  const ids = Object.keys(ACTIONS) as CallId[];
  return Object.fromEntries(ids.map((id) => [id, handlerOf(id, parts)])) as Handlers<CallId>;
}

const CHUNK_CHARACTERS = 16_384;

type Act = (input: object, context: ActionContext) => Promise<unknown>;

function handlerOf(id: CallId, parts: ActionContext["parts"]): Handler {
  return async (request, context) => {
    // Looked up inside the function: otherwise each of a thousand servers in a process would keep a copy.
    const { body, answers, returns }: Operation = OPERATION_LIST[id];
    const taken = body?.["application/json"]?.schema;
    const answered = SCHEMA_LIST[answers[200]?.content?.schema as SchemaName];
    const params = parametersOf(id, "path", context.params);
    const query = parametersOf(id, "query", context.query);
    const given = taken && (await readBody(taken, request, context));
    const result = await withClientWatch(request, (isGone) =>
      (ACTIONS[id] as Act)({ params, query, body: given, isGone }, { service: context.service, parts }),
    );
    if (result === undefined) return DONE;
    const pieces = encodePieces(answered, returns === undefined ? result : { [returns]: result });
    return jsonResponse(await gather(chunksOf(pieces)));
  };
}

/** A long response is encoded while other requests run. */
async function* chunksOf(pieces: Iterable<string>): AsyncGenerator<string> {
  let text = "";
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

/** Reads a body by its schema. @throws ActivityError as `readJson` does; `INVALID_INPUT` that names the field */
export async function readBody<Name extends SchemaName>(
  name: Name,
  request: RequestContext,
  { limits }: Pick<RouteContext, "limits">,
): Promise<DomainOf<Name>> {
  return decode(SCHEMA_LIST[name], await readJson(request, limits), "") as DomainOf<Name>;
}

export function encoded<Name extends SchemaName>(name: Name, value: DomainOf<Name>): HttpResponse {
  return jsonResponse(JSON.stringify(encode(SCHEMA_LIST[name], value)));
}

/** Reads a query string by the parameters of an operation. @throws ActivityError `INVALID_INPUT` that names one */
export function readQuery<Id extends OperationId>(id: Id, query: URLSearchParams): QueryIn<Id> {
  return parametersOf(id, "query", query) as QueryIn<Id>;
}

type Texts = URLSearchParams | RouteContext["params"];

function parametersOf(id: OperationId, place: "path" | "query", texts: Texts): unknown {
  const schema = parametersSchema(OPERATION_LIST[id].parameters, place);
  return decode(schema, valuesIn(texts, schema), "");
}

function valuesIn(texts: Texts, { properties = {} }: Schema): object {
  const values: Record<string, JsonValue> = {};
  for (const [name, { type }] of Object.entries(properties)) {
    const text = texts.get(name) ?? undefined;
    if (text !== undefined)
      values[name] = type === "array" && "getAll" in texts ? texts.getAll(name) : valueIn(text, type);
  }
  return values;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** The JSON value of a string. An invalid string stays unchanged, so that the message shows it. */
function valueIn(text: string, type: Schema["type"]): JsonValue {
  if (type === "boolean") return /^(?:true|1)$/.test(text) || (/^(?:false|0)$/.test(text) ? false : text);
  const isNumeric = type === "integer" ? /^[+-]?\d+$/.test(text) : type === "number" && NUMBER.test(text);
  return isNumeric ? Number(text) : text;
}
