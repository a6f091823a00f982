/** What a value has to be. `integer` is one that a number holds exactly; `value` is any JSON. */
export type Kind = "object" | "list" | "text" | "number" | "integer" | "boolean" | "value";

/**
 * What an answer has to look like: a kind; a list of what each member has to look like; or an object with such members,
 * and maybe more, where `*` stands for each of them. `nothing` = its content does not matter.
 */
export type Shape = Kind | "nothing" | readonly [Shape] | { readonly [member: string]: Shape };

const NAMES: Readonly<Record<Kind, string>> = {
  object: "an object",
  list: "a list",
  text: "a text",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  value: "JSON",
};

/** Says what is expected where a value departs from a shape first; `undefined` where it fits. */
export function misfit(value: unknown, shape: Shape, place = ""): string | undefined {
  if (shape === "nothing") return undefined;
  const kind = typeof shape === "string" ? shape : isList(shape) ? "list" : "object";
  if (!isOf(value, kind)) return `${NAMES[kind]} is expected${place && ` at ${place}`}`;
  if (typeof shape === "string") return undefined;
  const members = value as Readonly<Record<string, unknown>>;
  const each = isList(shape) ? shape[0] : shape["*"];
  for (const name of Object.keys(each === undefined ? shape : members)) {
    const own = Object.hasOwn(members, name) ? members[name] : undefined;
    const expected = misfit(own, each ?? (shape as Readonly<Record<string, Shape>>)[name] ?? "nothing", below(name));
    if (expected !== undefined) return expected;
  }
  return undefined;

  function below(name: string): string {
    return (place && `${place}.${name}`) || name;
  }
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isOf(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "value":
      return value !== undefined;
    case "list":
      return Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "text":
      return typeof value === "string";
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === kind;
  }
}
