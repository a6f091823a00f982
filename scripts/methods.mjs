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

/** Interfaces of methods. @param style how this side calls types */
function interfacesOf(found, { prefix, all, ...style }) {
  const name = (subject) => `${prefix}${subject[0].toUpperCase()}${subject.slice(1)}`;
  const linesOf = (methods) => Array.from(methods, ([method, operation]) => methodOf(method, operation, style));
  const subjects = [...found].filter(([subject]) => subject !== "");
  const each = subjects.map(([subject, methods]) => {
    const [{ tag }] = methods.values();
    const lines = linesOf(methods);
    return `/** ${TAGS[tag]} */\nexport interface ${name(subject)} {\n${lines.join("\n")}\n}`;
  });
  const members = subjects.map(([subject]) => `readonly ${subject}: ${name(subject)};`);
  members.push(...linesOf(found.get("") ?? []));
  return `${each.join("\n\n")}\n\n/** Methods that call operations, by subject. */\nexport interface ${all} {\n${members.join("\n")}\n}`;
}

/** Of several forms of a body or a response the first is that of the method. */
function formOf(name) {
  const [first] = SCHEMA_LIST[name]?.anyOf ?? [];
  return first?.$ref === undefined ? name : nameIn(first);
}

function nameIn({ $ref }) {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

function methodOf(method, operation, { given, query, result, options, event }) {
  const { summary, parameters, body, answers, takes, returns, errors } = operation;
  const inQuery = inQueryOf(parameters);
  const args = parameters
    .filter((name) => PARAMETERS[name].in === "path")
    .map((name) => `${name}: ${PARAMETERS[name].schema.type === "integer" ? "number" : "string"}`);
  const taken = formOf(body?.["application/json"]?.schema);
  if (taken !== undefined) {
    const type = `${given}<"${taken}">${takes === undefined ? "" : `["${takes}"]`}`;
    args.push(`${takes ?? "body"}${isNeeded(body) ? "" : "?"}: ${type}`);
  }
  if (inQuery.length > 0) args.push(`query?: ${query}<${inQuery.map((name) => `"${name}"`).join(" | ")}>`);
  args.push(...options);
  const own = errors.filter((code) => !["TOO_LARGE", "UNSUPPORTED_TYPE", "NO_SUCH_ROUTE"].includes(code));
  const thrown = own.length === 0 ? "" : ` @throws ${own.map((code) => `\`${code}\``).join(", ")}`;
  const type = typeOf(answers[200].content.schema, returns, { result, event });
  const line = `${summary}.${options.length > 0 ? "" : thrown}`;
  const comment = line.length < 110 ? `/** ${line} */` : `/**\n * ${line.replace(" @", "\n *\n * @")}\n */`;
  const data = type.includes("<Data>") ? "<Data extends object = JsonObject>" : "";
  return `${comment}\n${method}${data}(${args.join(", ")}): Promise<${type}>;`;
}

/** A list belongs to the caller, who may sort it. What the data of events hold, only the caller knows. */
function typeOf(answer, returns, { result, event }) {
  const name = formOf(answer);
  if (name === "Nothing") return "void";
  if (name === "Event") return `${event}<Data>`;
  if (returns !== undefined) return `${result}<"${name}">["${returns}"]`;
  const { type, items } = SCHEMA_LIST[name];
  return type === "array" ? `${typeOf(nameIn(items), undefined, { result, event })}[]` : `${result}<"${name}">`;
}

/** Schemas of responses that methods of the client read which are written by hand. */
const SHAPED = [
  ...["AcceptedEvent", "AcceptedEvents", "EventCount", "EventDeletion"],
  ...["QueryResults", "ImportCounts"],
];

const HEAD = "// Written by scripts/methods.mjs out of the operations (src/api).";

function clientFile() {
  const found = subjects(() => true);
  const style = {
    prefix: "Client",
    all: "ClientMethods",
    given: "SentOf",
    result: "Named",
    event: "ClientEvent",
    query: "QuerySent",
    options: ["options?: CallOptions"],
  };
  return `${HEAD}
import type { QuerySent } from "../api/calls.js";
import type { SentOf } from "../api/codec.js";
import type { Named } from "../api/schemas.js";
import type { JsonObject } from "../domain/json.js";
import type { CallOptions, ClientEvent } from "./client-types.js";

${interfacesOf(found, style)}
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

function inProcessFile() {
  const style = {
    ...{ prefix: "InProcess", all: "InProcessMethods", given: "InputOf", result: "OutputOf", event: "ActivityEvent" },
    query: "QueryInput",
    options: [],
  };
  return `${HEAD}
import type { QueryInput } from "../api/calls.js";
import type { InputOf, OutputOf } from "../api/codec.js";
import type { ActivityEvent } from "../domain/activity-event.js";
import type { JsonObject } from "../domain/json.js";

${interfacesOf(
  subjects(({ raw }) => raw !== true),
  style,
)}
`;
}

const FILES = {
  "src/client/calls.ts": clientFile,
  "src/client/call-table.ts": tableFile,
  "src/service/in-process-methods.ts": inProcessFile,
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
