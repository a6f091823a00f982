// Detects which parts of a result are groups, and their keys, from the program, since events do not contain it. Time
// and other members of a group come from an arbitrary event. A link can contain any program, so the patterns take no
// longer than a program is long. Pure.

/** Functions that preserve groups, whatever other arguments follow. */
const AROUND = String.raw`(?:(?:sort_by_duration|sort_by_timestamp|limit_events)\s*\(\s*)*`;
const GROUPED = new RegExp(String.raw`^${AROUND}merge_events_by_keys\s*\([\s\S]*,\s*\[([^\][]*)\]\s*\)[\s\d,)]*$`);
const NAMED = new RegExp(String.raw`^${AROUND}([A-Za-z_]\w*)\b[\s\d,)]*$`);
const TEXT = /"((?:[^"\\]|\\[\s\S]?)*)(?:"|$)/g;
/** A string, also without its end. */
const STRING = String.raw`"(?:[^"\\]|\\[\s\S]?)*(?:"|$)|'(?:[^'\\]|\\[\s\S]?)*(?:'|$)`;
const STRING_OR_COMMENT = new RegExp(String.raw`(${STRING})|#[^\n]*`, "g");
const STRING_OR_CHARACTER = new RegExp(String.raw`${STRING}|[\s\S]`, "g");

/** The group keys of a result part, by its path: `window.app_events`; `undefined` = not grouped. */
export function groupingOf(program: string): (path: string) => readonly string[] | undefined {
  const variables = new Map<string, readonly string[]>();
  let returned = "";
  for (const statement of split(withoutComments(program), ";")) {
    const [, name = "", expression = ""] = /^\s*(\w+)\s*=([\s\S]*)$/.exec(statement) ?? [];
    if (name === "RETURN") returned = expression.trim();
    const keys = keysOf(expression.trim(), variables);
    if (keys === undefined) variables.delete(name);
    else variables.set(name, keys);
  }
  return (path) => {
    const names = path === "" ? [] : path.split(".");
    const expression = names.reduce<string | undefined>((dict, name) => dict && memberOf(dict, name), returned);
    return expression === undefined ? undefined : keysOf(expression, variables);
  };
}

function keysOf(expression: string, variables: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const list = GROUPED.exec(expression)?.[1];
  if (list !== undefined) return [...list.matchAll(TEXT)].map(([, key = ""]) => key.replaceAll('\\"', '"'));
  return variables.get(NAMED.exec(expression)?.[1] ?? "");
}

/** The expression of a dict's member. */
function memberOf(dict: string, name: string): string | undefined {
  if (!/^\{[\s\S]*\}$/.test(dict)) return undefined;
  for (const member of split(dict.slice(1, -1), ",")) {
    const [, key, expression] = /^\s*"((?:[^"\\]|\\[\s\S])*)"\s*:([\s\S]*)$/.exec(member) ?? [];
    if (key === name) return expression?.trim();
  }
  return undefined;
}

/** Removes comments from `#` to the end of the line, except inside strings. */
function withoutComments(program: string): string {
  return program.replace(STRING_OR_COMMENT, (_, text: string | undefined) => text ?? "");
}

/** Splits at a character outside of brackets and strings. */
function split(text: string, at: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const [piece] of text.matchAll(STRING_OR_CHARACTER)) {
    if (piece === at && depth === 0) {
      parts.push(part);
      part = "";
      continue;
    }
    if ("([{".includes(piece)) depth++;
    if (")]}".includes(piece)) depth--;
    part += piece;
  }
  return part.trim() === "" ? parts : [...parts, part];
}
