import fs from "node:fs";
import path from "node:path";
import { openApiDocument } from "../../src/api/openapi.ts";

/** Writes a page for each tag of the API's description, one with the schemas, and an index. */
export function writeApiPages(folder) {
  const document = openApiDocument({ version: "", serverUrl: "", needsKey: true });
  const operations = Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route, method: method.toUpperCase(), ...operation })),
  );
  const write = (name, ...parts) => fs.writeFileSync(path.join(folder, `${name}.md`), `${parts.join("\n\n")}\n`);
  fs.mkdirSync(folder, { recursive: true });
  for (const { name, description } of document.tags) {
    const members = operations.filter(({ tags }) => tags.includes(name));
    write(name, `# ${capital(name)}`, description, ...members.map((operation) => operationText(operation, document)));
  }
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => `## ${name}\n\n${json(schema)}`);
  write("schemas", "# Schemas", "The bodies of requests and responses, as JSON Schema.", ...schemas);
  const rows = document.tags.map(({ name, description }) => `| [${name}](${name}.md) | ${description} |`);
  write(
    "index",
    "# API",
    "All operations, by subject. They share their [conventions](../../docs/reference/api.md).",
    ["| Subject | |", "|---|---|", ...rows, "| [schemas](schemas.md) | Bodies of requests and responses. |"].join("\n"),
  );
}

function operationText(operation, document) {
  const { method, route, operationId, summary, description = "", parameters = [], requestBody, responses } = operation;
  const found = Object.entries(responses).map(([status, response]) => ({ status, ...resolved(response, document) }));
  const parts = [`## ${summary} {#operation-${operationId}}`, `\`${method} ${route}\``, description];
  if (parameters.length > 0) {
    const rows = parameters.map((parameter) => parameterRow(resolved(parameter, document)));
    parts.push(["| Parameter | In | Required | |", "|---|---|---|---|", ...rows].join("\n"));
  }
  if (requestBody !== undefined) parts.push(`**Body.** ${requestBody.description ?? ""}`, ...contents(requestBody));
  for (const response of found.filter(({ status }) => status < "400")) {
    parts.push(`**${response.status}.** ${response.description}`, ...contents(response));
  }
  const errors = found.filter(({ status }) => status >= "400");
  const rows = errors.map(({ status, description: text }) => `| ${status} | ${cell(text)} |`);
  if (rows.length > 0) parts.push(["| Error | |", "|---|---|", ...rows].join("\n"));
  return parts.join("\n\n");
}

function parameterRow({ name, in: place, required = false, schema = {}, description = "" }) {
  const type = [schema.type].flat().filter(Boolean).join(" or ");
  const about = cell([type, description].filter(Boolean).join(". "));
  return `| \`${name}\` | ${place} | ${required ? "yes" : "no"} | ${about} |`;
}

/** The schema and an example for each type of a body. */
function contents({ content = {} }) {
  return Object.entries(content).flatMap(([type, { schema, example }]) => {
    const name = schema?.$ref?.split("/").at(-1);
    const form = name === undefined ? "" : `: [${name}](schemas.md#${name.toLowerCase()})`;
    return [`\`${type}\`${form}`, ...(example === undefined ? [] : [json(example)])];
  });
}

function resolved(value, document) {
  if (value.$ref === undefined) return value;
  const [, ...keys] = value.$ref.split("/");
  return keys.reduce((part, key) => part[key], document);
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").replaceAll("<", "&lt;");
}

function json(value) {
  return typeof value === "string"
    ? `\`\`\`\n${value}\n\`\`\``
    : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
