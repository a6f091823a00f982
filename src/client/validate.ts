/** What a value has to be. `integer` is one that a number holds exactly; `value` is any JSON. */
export type Kind = "object" | "list" | "text" | "number" | "integer" | "integer or null" | "boolean" | "value";

/**
 * Schema of a response: a kind; a list with the schema of its members; or an object with the schemas of members that it
 * must have, where `*` stands for each member. `nothing` = the content does not matter.
 */
export type Schema = Kind | "nothing" | readonly [Schema] | { readonly [member: string]: Schema };

const NAMES: Readonly<Record<Kind, string>> = {
  object: "an object",
  list: "a list",
  text: "a text",
  number: "a number",
  integer: "an integer",
  "integer or null": "an integer or null",
  boolean: "a boolean",
  value: "JSON",
};

/** Describes the first place where a value does not match a schema; `undefined` when it matches. */
export function validate(value: unknown, schema: Schema, place = ""): string | undefined {
  if (schema === "nothing") return undefined;
  const kind = typeof schema === "string" ? schema : isList(schema) ? "list" : "object";
  if (!isOf(value, kind)) return `${NAMES[kind]} is expected${place && ` at ${place}`}`;
  if (typeof schema === "string") return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const each = isList(schema) ? schema[0] : schema["*"];
  for (const name of Object.keys(each === undefined ? schema : members)) {
    const own = Object.hasOwn(members, name) ? members[name] : undefined;
    const expected = validate(
      own,
      each ?? (schema as Readonly<Record<string, Schema>>)[name] ?? "nothing",
      below(name),
    );
    if (expected !== undefined) return expected;
  }
  return undefined;

  function below(name: string): string {
    return (place && `${place}.${name}`) || name;
  }
}

function isList(schema: Schema): schema is readonly [Schema] {
  return Array.isArray(schema);
}

function isOf(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "value":
      return value !== undefined;
    case "list":
      return Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "integer or null":
      return value === null || Number.isSafeInteger(value);
    case "text":
      return typeof value === "string";
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === kind;
  }
}
