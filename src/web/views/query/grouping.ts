// Which parts of a result are groups, and by what: the program says so, the events do not. Of a group time and other
// members are those of any one of its events. Pure.

/** What leaves groups as they are, whatever numbers follow. */
const AROUND = String.raw`(?:(?:sort_by_duration|sort_by_timestamp|limit_events)\s*\(\s*)*`;
const GROUPED = new RegExp(String.raw`^${AROUND}merge_events_by_keys\s*\([\s\S]*,\s*\[([^\]]*)\]\s*\)[\s\d,)]*$`);
const NAMED = new RegExp(String.raw`^${AROUND}([A-Za-z_]\w*)[\s\d,)]*$`);
const TEXT = /"((?:[^"\\]|\\[\s\S])*)"/g;

/** The keys that a part of the result is grouped by, by its place: `window.app_events`; `undefined` = by none. */
export function groupingOf(program: string): (path: string) => readonly string[] | undefined {
  const variables = new Map<string, readonly string[]>();
  let returned = "";
  for (const statement of split(withoutComments(program), ";")) {
    const [, name = "", expression = ""] = /^\s*(\w+)\s*=\s*([\s\S]*?)\s*$/.exec(statement) ?? [];
    if (name === "RETURN") returned = expression;
    const keys = keysOf(expression, variables);
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

/** The expression of a member of a dict. */
function memberOf(dict: string, name: string): string | undefined {
  if (!/^\{[\s\S]*\}$/.test(dict)) return undefined;
  for (const member of split(dict.slice(1, -1), ",")) {
    const [, key, expression] = /^\s*"((?:[^"\\]|\\[\s\S])*)"\s*:\s*([\s\S]*?)\s*$/.exec(member) ?? [];
    if (key === name) return expression;
  }
  return undefined;
}

/** Without what stands behind a `#`, up to the end of its line; texts may have one. */
function withoutComments(program: string): string {
  return program.replace(/("(?:[^"\\]|\\[\s\S])*")|#[^\n]*/g, (_, text: string | undefined) => text ?? "");
}

/** Cuts at a character where it stands in no brackets and no text. */
function split(text: string, at: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[\s\S]/g)) {
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
