/** What a value must be, as messages say it. An integer is one that a number holds exactly. */
export type Kind =
  | "an object"
  | "a list"
  | "a string"
  | "a number"
  | "an integer"
  | "an integer or null"
  | "a boolean"
  | "JSON";

/**
 * Schema of a response: a kind; a list with the schema of its members; or an object with the schemas of members that it
 * must have, where `*` stands for each member. `nothing` = the content does not matter.
 */
export type Schema = Kind | "nothing" | readonly [Schema] | { readonly [member: string]: Schema };

/** Describes the first place where a value does not match a schema; `undefined` when it matches. */
export function validate(value: unknown, schema: Schema, place = ""): string | undefined {
  if (schema === "nothing") return undefined;
  const kind = typeof schema === "string" ? schema : isList(schema) ? "a list" : "an object";
  if (!isOf(value, kind)) return `${place || "it"} must be ${kind}`;
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
    case "JSON":
      return value !== undefined;
    case "a list":
      return Array.isArray(value);
    case "an integer":
      return Number.isSafeInteger(value);
    case "an integer or null":
      return value === null || Number.isSafeInteger(value);
    case "an object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return kind.endsWith(` ${typeof value}`);
  }
}
