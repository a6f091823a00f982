/** The kinds of values, as messages name them. An integer must be exact in a number. */
type Kind =
  | "an object"
  | "a list"
  | "a string"
  | "a number"
  | "an integer"
  | "an integer or null"
  | "a boolean"
  | "JSON";

/**
 * Describes the first mismatch between a response and a shape; `undefined` if there is none. A shape is a kind; or
 * members that an object must have, by their kinds (`a list: from to; a string: id`); or one of these after `[] ` or
 * `{} `, for a list or an object of them; or `nothing`, if the content does not matter.
 */
export function validate(value: unknown, shape: string): string | undefined {
  if (shape === "nothing") return undefined;
  const [, braces, each = shape] = /^(\[\]|\{\}) (.+)/.exec(shape) ?? [];
  const checks = checksOf(each);
  if (braces === undefined) return unmet(value, checks, "");
  const whole = braces === "[]" ? "a list" : "an object";
  if (!isOf(value, whole)) return `it must be ${whole}`;
  const members = value as Members;
  for (const name of Object.keys(members)) {
    const expected = unmet(members[name], checks, name);
    if (expected !== undefined) return expected;
  }
  return undefined;
}

type Members = Readonly<Record<string, unknown>>;
type Check = readonly [member: string, kind: Kind];

/** The checks of a value: itself under an empty name, then its members. */
function checksOf(shape: string): readonly Check[] {
  if (!shape.includes(":")) return [["", shape as Kind]];
  const groups = shape.split("; ").map((group) => group.split(": ") as [Kind, string]);
  return [["", "an object"], ...groups.flatMap(([kind, names]) => names.split(" ").map((name): Check => [name, kind]))];
}

function unmet(value: unknown, checks: readonly Check[], place: string): string | undefined {
  for (const [name, kind] of checks) {
    const own = name === "" ? value : Object.hasOwn(value as Members, name) ? (value as Members)[name] : undefined;
    if (!isOf(own, kind)) return `${[place, name].filter(Boolean).join(".") || "it"} must be ${kind}`;
  }
  return undefined;
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
