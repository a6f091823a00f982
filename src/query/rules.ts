import type { Fault } from "../domain/fault.js";
import { quote, RULE_UNFIT } from "../errors.js";
import { compileRegex, type Regex, RegexSyntaxError } from "../regex/regex.js";
import type { Steps } from "../transforms/steps.js";
import { describeValue, itemsOf, kindOf, type ListLike, type Value } from "./values.js";

/** An invalid rule, with its position in the list. */
export class RuleError extends Error {
  readonly fault: Fault;

  constructor(index: number, message: string, cause?: RegexSyntaxError) {
    super(message, cause && { cause });
    this.fault = { ...(cause?.fault ?? RULE_UNFIT), place: { rule: index + 1 }, reason: cause?.message ?? message };
  }
}

/** A rule of `categorize` or `tag`, parsed and compiled (docs/reference/compatibility.md#rules). */
export interface Rule<Name> {
  readonly name: Name;
  /** Searched in strings; `undefined` = never matches. */
  readonly regex: Regex | undefined;
  /** Searches only these keys; `undefined` = all. */
  readonly keys: readonly string[] | undefined;
  /** `undefined` if the rule has none. */
  readonly rank: number | undefined;
}

/** Parses the rules of `categorize`. @throws RuleError */
export function readCategoryRules(list: ListLike): Steps<Rule<readonly string[]>[]> {
  return readRules(list, (item, index) => {
    const [name, fields] = readParts(item, index);
    if (kindOf(name) === "events" || !Array.isArray(name) || !name.every((level) => typeof level === "string")) {
      throw new RuleError(index, `name of rule ${index + 1} must be a list of strings, got ${describeValue(name)}`);
    }
    return readRule(name as readonly string[], fields, index);
  });
}

/** Parses the rules of `tag`. @throws RuleError */
export function readTagRules(list: ListLike): Steps<Rule<string>[]> {
  return readRules(list, (item, index) => {
    const [name, fields] = readParts(item, index);
    if (typeof name !== "string") {
      throw new RuleError(index, `name of rule ${index + 1} must be a string, got ${describeValue(name)}`);
    }
    return readRule(name, fields, index);
  });
}

/** Pauses after each rule, since compiling an expression takes time. */
function* readRules<Name>(list: ListLike, read: (item: Value, index: number) => Rule<Name>): Steps<Rule<Name>[]> {
  const rules: Rule<Name>[] = [];
  for (const item of itemsOf(list)) {
    rules.push(read(item, rules.length));
    yield;
  }
  return rules;
}

function readParts(item: Value, index: number): [name: Value, fields: ReadonlyMap<string, Value>] {
  const [name, fields, ...rest] = Array.isArray(item) ? (item as readonly Value[]) : [];
  if (name !== undefined && fields instanceof Map && rest.length === 0) return [name, fields];
  throw new RuleError(index, `rule ${index + 1} must be a list of a name and a dict, got ${describeValue(item)}`);
}

function readRule<Name>(name: Name, fields: ReadonlyMap<string, Value>, index: number): Rule<Name> {
  const field = (key: string): Value => fields.get(key) ?? null;
  const wrong = (key: string, wanted: string): RuleError =>
    new RuleError(index, `${key} of rule ${index + 1} must be ${wanted}, got ${describeValue(field(key))}`);
  const type = fields.has("type") ? field("type") : "regex";
  if (type !== null && type !== "none" && type !== "regex") {
    const given = typeof type === "string" ? quote(type) : describeValue(type);
    throw new RuleError(index, `type of rule ${index + 1} must be regex or none, got ${given}`);
  }
  const pattern = field("regex");
  if (pattern !== null && typeof pattern !== "string") throw wrong("regex", "a string");
  const keys = field("select_keys");
  const isTexts = keys !== null && Array.isArray(keys) && keys.every((key) => typeof key === "string");
  if (keys !== null && !isTexts) throw wrong("select_keys", "a list of strings");
  const ranked = ["priority", "weight"].find((key) => field(key) !== null);
  const rank = ranked === undefined ? undefined : field(ranked);
  if (ranked !== undefined && (typeof rank !== "number" || !Number.isInteger(rank))) throw wrong(ranked, "an integer");
  const never = type === null || type === "none" || pattern === null || pattern === "";
  return {
    name,
    regex: never ? undefined : compilePattern(pattern, isTruthy(field("ignore_case")), index),
    keys: isTexts && (keys as readonly string[]).length > 0 ? (keys as readonly string[]) : undefined,
    rank: typeof rank === "number" ? rank : undefined,
  };
}

function compilePattern(pattern: string, ignoreCase: boolean, index: number): Regex {
  try {
    return compileRegex(pattern, { ignoreCase, canonical: true });
  } catch (cause) {
    if (!(cause instanceof RegexSyntaxError)) throw cause;
    throw new RuleError(index, `regex of rule ${index + 1}: ${cause.message}`, cause);
  }
}

/** Python's truthiness: everything except none, false, zero and empty values is true. */
function isTruthy(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return !(value instanceof Map) || value.size > 0;
}
