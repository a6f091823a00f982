/** The kinds of values by their letters in shapes, as messages name them. An integer must be exact in a number. */
const KINDS: Readonly<Record<string, string>> = {
  o: "an object",
  l: "a list",
  s: "a string",
  n: "a number",
  i: "an integer",
  I: "an integer or null",
  b: "a boolean",
  j: "JSON",
};

/**
 * Describes the first mismatch between a response and a shape; `undefined` if there is none. A shape is a kind; or
 * members that an object must have, by their kinds (`l:from to;s:id`); or one of these after `[]` or `{}`, for a list
 * or an object of them; or empty, if the content does not matter.
 */
export function validate(value: unknown, shape: string): string | undefined {
  if (shape === "") return undefined;
  const [, braces, each = ""] = /^(\[\]|\{\})?(.+)/.exec(shape) ?? [];
  const checks = checksOf(each);
  if (braces === undefined) return unmet(value, checks, "");
  const whole = braces === "[]" ? "l" : "o";
  if (!isOf(value, whole)) return `it must be ${KINDS[whole]}`;
  const members = value as Members;
  for (const name of Object.keys(members)) {
    const expected = unmet(members[name], checks, name);
    if (expected !== undefined) return expected;
  }
  return undefined;
}

type Members = Readonly<Record<string, unknown>>;
type Check = readonly [member: string, kind: string];

/** The checks of a value: itself under an empty name, then its members. */
function checksOf(shape: string): readonly Check[] {
  if (!shape.includes(":")) return [["", shape]];
  const groups = shape.split(";").map((group) => group.split(":") as [string, string]);
  return [["", "o"], ...groups.flatMap(([kind, names]) => names.split(" ").map((name): Check => [name, kind]))];
}

function unmet(value: unknown, checks: readonly Check[], place: string): string | undefined {
  for (const [name, kind] of checks) {
    const own = name === "" ? value : Object.hasOwn(value as Members, name) ? (value as Members)[name] : undefined;
    if (!isOf(own, kind)) return `${[place, name].filter(Boolean).join(".") || "it"} must be ${KINDS[kind]}`;
  }
  return undefined;
}

function isOf(value: unknown, kind: string): boolean {
  if (kind === "j") return value !== undefined;
  if (kind === "l") return Array.isArray(value);
  if (kind === "o") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (kind === "I" && value === null) return true;
  return /[iI]/.test(kind) ? Number.isSafeInteger(value) : (typeof value)[0] === kind;
}
