// Makes methods of the table of calls.
import type { ClientMethods } from "./calls.js";
import type { CallOptions } from "./client-types.js";
import { serializeJson } from "./serializing.js";
import type { ClientRequest } from "./transport.js";
import type { Kind, Schema } from "./validate.js";

/**
 * Method and path below `/api/0/`; the response: a kind, or its members by kind (`a list: from to; …`), in a list for
 * a list of such; what it takes (`b`: a body, `b?`: one that may be left out, `q`: a query, `.name`: a member of the
 * body); and the member of the response that it returns.
 */
export type Call = readonly [route: string, response: string | readonly [string], takes?: string, returns?: string];

/** By subject and method. */
export type CallTable = Readonly<Record<string, Readonly<Record<string, Call>>>>;

type Send = (route: string, schema: Schema, request: ClientRequest) => Promise<unknown>;
type Members = Readonly<Record<string, unknown>>;

/** @param send sends a request, and resolves with the value of its response */
export function callMethods(calls: CallTable, send: Send): ClientMethods {
  return mapped(calls, (methods) => mapped(methods, (call) => methodOf(call, send))) as unknown as ClientMethods;
}

function mapped<Given, Made>(
  from: Readonly<Record<string, Given>>,
  make: (given: Given) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(from).map(([name, given]) => [name, make(given)]));
}

function methodOf([route, response, takes = "", returns]: Call, send: Send) {
  const schema = typeof response === "string" ? schemaOf(response) : ([schemaOf(response[0])] as const);
  return async (...args: unknown[]) => {
    const params = args.splice(0, route.split(":").length - 1);
    const [kinds = "", member] = takes.split(".");
    const hasBody = member || kinds[0] === "b";
    const given = hasBody && args.shift();
    const content = member ? { [member]: given } : kinds[1] === "?" ? (given ?? {}) : given;
    const body = hasBody ? () => serializeJson(content) : undefined;
    const query = kinds.endsWith("q") ? args.shift() : undefined;
    const request = { ...(args[0] as CallOptions), params, query, body } as unknown as ClientRequest;
    const value = await send(route.replace(" ", " /api/0/"), schema, request);
    return returns ? (value as Members)[returns] : schema === "nothing" ? undefined : value;
  };
}

function schemaOf(response: string): Schema {
  if (!response.includes(":")) return response as Schema;
  const groups = response.split("; ").map((group) => group.split(": "));
  return Object.fromEntries(
    groups.flatMap(([kind, names = ""]) => names.split(" ").map((name) => [name, kind as Kind])),
  );
}
