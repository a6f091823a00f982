// Creates methods from the table of calls.
import type { ClientCalls } from "./calls.js";
import type { CallOptions } from "./client-types.js";
import { serializeJson } from "./serializing.js";
import type { ClientRequest, Route, Transport } from "./transport.js";

/**
 * Method and path below `/api/0/`; the shape of the response; the arguments (`b`: a body, `b?`: an optional one, `q`: a
 * query, `.name`: a member of the body); and the member of the response to return.
 */
export type Call = readonly [route: string, shape?: string, takes?: string, returns?: string];

/** By subject and method. Methods of the client itself have no subject. */
export type CallTable = Readonly<Record<string, Readonly<Record<string, Call>>>>;

type Members = Readonly<Record<string, unknown>>;

export function callMethods(calls: CallTable, transport: Transport): ClientCalls {
  const { "": own, ...subjects } = mapped(calls, (methods) => mapped(methods, (call) => methodOf(call, transport)));
  return { ...own, ...subjects } as unknown as ClientCalls;
}

function mapped<Given, Made>(
  from: Readonly<Record<string, Given>>,
  make: (given: Given) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(from).map(([name, given]) => [name, make(given)]));
}

function methodOf([route, shape = "", takes = "", returns]: Call, transport: Transport) {
  return async (...args: unknown[]) => {
    const params = args.splice(0, route.split(":").length - 1);
    const [kinds = "", member] = takes.split(".");
    const hasBody = member || kinds[0] === "b";
    const given = hasBody && args.shift();
    const content = member ? { [member]: given } : kinds[1] === "?" ? (given ?? {}) : given;
    const body = hasBody ? () => serializeJson(content) : undefined;
    const query = kinds.endsWith("q") ? args.shift() : undefined;
    const request = { ...(args[0] as CallOptions), params, query, body } as unknown as ClientRequest;
    const { value } = await transport.call(route.replace(" ", " /api/0/") as Route, shape, request);
    return returns ? (value as Members)[returns] : shape === "" ? undefined : value;
  };
}
