// Writes the methods of clients and of servers in process out of the operations: their types, and for clients a table of
// what they need of each operation, since operations themselves are too large for browsers.
//
//   node --import tsx scripts/methods.mjs             compares, and shows the difference
//   node --import tsx scripts/methods.mjs --update    writes the files again
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { TAGS } from "../src/api/operation.ts";
import { OPERATION_LIST } from "../src/api/operations.ts";
import { PARAMETERS } from "../src/api/parameters.ts";
import { SCHEMA_LIST } from "../src/api/schemas.ts";
import { differenceOf } from "./difference.mjs";

const UPDATE = "node --import tsx scripts/methods.mjs --update";

/** Operations by subject and method. @param keeps which operations */
function subjects(keeps) {
  const found = new Map();
  for (const operation of Object.values(OPERATION_LIST)) {
    if (operation.call === undefined || !keeps(operation)) continue;
    const [method, subject = ""] = operation.call.split(".").reverse();
    if (!found.has(subject)) found.set(subject, new Map());
    found.get(subject).set(method, operation);
  }
  return found;
}

/** The letters of kinds (src/client/validate.ts). */
const KINDS = { string: "s", number: "n", integer: "i", boolean: "b", array: "l", object: "o" };
const ANY_JSON = "j";

function resolved({ $ref, ...schema }) {
  return $ref === undefined ? schema : resolved(SCHEMA_LIST[nameIn({ $ref })]);
}

/** What a client checks in a response: the members that it must have, with their kinds (src/client/validate.ts). */
function shapeOf(name) {
  if (name === "Nothing") return "";
  const { type, items, properties, additionalProperties: each, ...others } = resolved(SCHEMA_LIST[formOf(name)]);
  if (type === "array") return `[]${membersOf(resolved(items))}`;
  const isOfSuch = properties === undefined && each && Object.keys(each).length > 0;
  return isOfSuch ? `{}${membersOf(resolved(each))}` : membersOf({ type, properties, ...others });
}

function membersOf({ type, properties, required = [] }) {
  if (properties === undefined) return kindOf({ type });
  const byKind = new Map();
  for (const member of required) {
    const kind = kindOf(properties[member]);
    byKind.set(kind, [...(byKind.get(kind) ?? []), member]);
  }
  return Array.from(byKind, ([kind, members]) => `${kind}:${members.join(" ")}`).join(";");
}

function kindOf(schema) {
  const { type, anyOf = [], enum: values } = resolved(schema);
  if (values !== undefined) return typeof values[0] === "string" ? KINDS.string : ANY_JSON;
  const types = anyOf.map((member) => resolved(member).type);
  if (types.join() === "integer,null") return "I";
  return KINDS[type] ?? ANY_JSON;
}

/** What a method takes of the query string: not what only requests need. */
function inQueryOf(parameters) {
  return parameters.filter((name) => PARAMETERS[name].in === "query" && !["challenge", "format"].includes(name));
}

function callOf({ method, path, parameters, body, answers, takes: member, returns }) {
  const hasQuery = inQueryOf(parameters).length > 0;
  const inBody = body === undefined ? "" : isNeeded(body) ? "b" : "b?";
  const takes = member ? `.${member}` : `${inBody}${hasQuery ? "q" : ""}`;
  const call = [`${method} ${path.replace("/api/0/", "")}`, shapeOf(answers[200].content.schema), takes, returns];
  while (!call.at(-1)) call.pop();
  return call;
}

/** Whether a body cannot be left out. */
function isNeeded(body) {
  const { type, required = [] } = SCHEMA_LIST[body["application/json"]?.schema] ?? {};
  return type !== "object" || required.length > 0;
}

const titleOf = (subject) => `${subject[0].toUpperCase()}${subject.slice(1)}`;

/** The comment of a subject. */
function aboutOf(methods) {
  const [{ tag }] = methods.values();
  return `/** ${TAGS[tag]} */`;
}

/** The methods of an interface. @param form the type, or type parameter, of the side */
function linesOf(methods, form) {
  return Array.from(methods ?? [], ([method, operation]) => methodOf(method, operation, form)).join("\n");
}

/** Of several forms of a body or a response the first is that of the method. */
function formOf(name) {
  const [first] = SCHEMA_LIST[name]?.anyOf ?? [];
  return first?.$ref === undefined ? name : nameIn(first);
}

function nameIn({ $ref }) {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

function methodOf(method, operation, form) {
  const { summary, parameters, body, answers, takes, returns, errors } = operation;
  const inQuery = inQueryOf(parameters);
  const args = parameters
    .filter((name) => PARAMETERS[name].in === "path")
    .map((name) => `${name}: ${PARAMETERS[name].schema.type === "integer" ? "number" : "string"}`);
  const taken = formOf(body?.["application/json"]?.schema);
  if (taken !== undefined) {
    const type = `Arg<"${taken}", ${form}${memberOf(takes)}>`;
    args.push(`${takes ?? "body"}${isNeeded(body) ? "" : "?"}: ${type}`);
  }
  if (inQuery.length > 0) args.push(`query?: QueryArg<${inQuery.map((name) => `"${name}"`).join(" | ")}, ${form}>`);
  args.push(form === SHARED ? `...options: ${form}["options"]` : "options?: CallOptions");
  const own = errors.filter((code) => !["TOO_LARGE", "UNSUPPORTED_TYPE", "NO_SUCH_ROUTE"].includes(code));
  const thrown = own.length === 0 ? "" : ` @throws ${own.map((code) => `\`${code}\``).join(", ")}`;
  const type = typeOf(answers[200].content.schema, returns, form);
  const line = `${summary}.${thrown}`;
  const comment =
    line.length < 112 ? `/** ${line} */` : `/**\n * ${line.replace(/(.{1,114})(?: |$)/g, "$1\n * ").trimEnd()}/`;
  const data = /<Data\b/.test(type) ? "<Data extends object = JsonObject>" : "";
  return `${comment}\n${method}${data}(${args.join(", ")}): Promise<${type}>;`;
}

function memberOf(name) {
  return name === undefined ? "" : `, "${name}"`;
}

/** A list belongs to the caller, who may sort it. What the data of events hold, only the caller knows. */
function typeOf(answer, returns, form) {
  const name = formOf(answer);
  if (name === "Nothing") return "void";
  if (name === "Event") return form === CLIENT ? "ClientEvent<Data>" : `EventResult<Data, ${form}>`;
  if (returns !== undefined) return `Result<"${name}", ${form}${memberOf(returns)}>`;
  const { type, items } = SCHEMA_LIST[name];
  if (type === "integer") return "number";
  return type === "array" ? `${typeOf(nameIn(items), undefined, form)}[]` : `Result<"${name}", ${form}>`;
}

/** Schemas of responses that methods of the client read which are written by hand. */
const SHAPED = [
  ...["AcceptedEvent", "AcceptedEvents", "EventCount", "EventDeletion"],
  ...["QueryResults", "ImportCounts"],
];

const HEAD = "// Written by scripts/methods.mjs out of the operations (src/api).";

/** The type parameter of methods that clients and servers in process share. */
const SHARED = "S";
/** The argument in its place for clients. */
const CLIENT = "ClientSide";
const isRaw = ({ raw }) => raw === true;

/** The methods of clients and of servers in process: they differ in the forms of values and in options. */
function sharedFile() {
  const found = subjects((operation) => !isRaw(operation));
  const named = [...found].filter(([subject]) => subject !== "");
  const each = named.map(([subject, methods]) => {
    const name = `${titleOf(subject)}Calls<${SHARED} extends Side>`;
    return `${aboutOf(methods)}\nexport interface ${name} {\n${linesOf(methods, SHARED)}\n}\n`;
  });
  const members = named.map(([subject]) => `readonly ${subject}: ${titleOf(subject)}Calls<${SHARED}>;`);
  return `${HEAD}
import type { JsonObject } from "../domain/json.js";
import type { Arg, EventResult, QueryArg, Result, Side } from "./calls.js";

${each.join("\n")}
/** Methods that call operations, by subject. */
export interface Calls<${SHARED} extends Side> {
${members.join("\n")}
${linesOf(found.get(""), SHARED)}
}
`;
}

/** The methods of clients, which have more than servers in process. */
function clientFile() {
  const raw = subjects(isRaw);
  const named = [...subjects(() => true)].filter(([subject]) => subject !== "");
  const extended = named.filter(([subject]) => raw.has(subject));
  const shared = named.filter(([subject]) => !raw.has(subject));
  const aliases = shared.map(([subject, methods]) => {
    return `${aboutOf(methods)}\nexport type Client${titleOf(subject)} = ${titleOf(subject)}Calls<${CLIENT}>;\n`;
  });
  const interfaces = extended.map(([subject, methods]) => {
    const head = `interface Client${titleOf(subject)} extends ${titleOf(subject)}Calls<${CLIENT}>`;
    return `${aboutOf(methods)}\nexport ${head} {\n${linesOf(raw.get(subject), CLIENT)}\n}\n`;
  });
  return `${HEAD}
import type { Arg, QueryArg, Result } from "../api/calls.js";
import type { ${["Calls", ...named.map(([subject]) => `${titleOf(subject)}Calls`)].sort().join(", ")} } from "../api/methods.js";
import type { JsonObject } from "../domain/json.js";
import type { CallOptions, ClientEvent, ${CLIENT} } from "./client-types.js";

${aliases.join("")}
${interfaces.join("\n")}
/** Methods that call operations, by subject. */
export interface ClientCalls extends Calls<${CLIENT}> {
${extended.map(([subject]) => `readonly ${subject}: Client${titleOf(subject)};`).join("\n")}
${linesOf(raw.get(""), CLIENT)}
}
`;
}

function tableFile() {
  const table = Object.fromEntries(
    Array.from(
      subjects(() => true),
      ([subject, methods]) => [
        subject,
        Object.fromEntries(Array.from(methods, ([name, operation]) => [name, callOf(operation)])),
      ],
    ),
  );
  return `${HEAD}
import type { CallTable } from "./call.js";

export const CALLS: CallTable = ${JSON.stringify(table)};

/** Of responses that methods written by hand read. */
export const SHAPES = ${JSON.stringify(Object.fromEntries(SHAPED.map((name) => [name, shapeOf(name)])))} as const;
`;
}

const FILES = {
  "src/api/methods.ts": sharedFile,
  "src/client/calls.ts": clientFile,
  "src/client/call-table.ts": tableFile,
};

for (const [file, write] of Object.entries(FILES)) {
  const biome = ["node_modules/@biomejs/biome/bin/biome", "format", `--stdin-file-path=${file}`];
  const text = execFileSync(process.execPath, biome, { input: write(), encoding: "utf8" });
  if (process.argv.includes("--update")) fs.writeFileSync(file, text);
  else {
    const difference = differenceOf(fs.readFileSync(file, "utf8"), text);
    if (difference.length === 0) continue;
    console.error(`${file} differs from the operations:\n${difference.join("\n")}\nUpdate it with: ${UPDATE}`);
    process.exitCode = 1;
  }
}
