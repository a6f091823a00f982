// Reads a declaration file as the compiler writes it: which names it declares, imports and exports. No parser of the
// language is at hand; the compiler's output has few forms, and anything else is an error here.

const NAME = "[A-Za-z_$][\\w$]*";
const DECLARATION = new RegExp(
  `^(export )?(?:declare )?(?:abstract )?(?:interface|class|type|function|const|let|namespace) (${NAME})`,
);
const BODIED = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|namespace) /;
const IMPORT = /^import (?:type )?\{([^}]*)\} from "([^"]+)";$/;
const EXPORT_FROM = /^export (?:type )?\{([^}]*)\} from "([^"]+)";$/;
const IGNORED = /^(?:export \{\};|import "[^"]+";|\/\/\/.*)$/;

/**
 * @param {string} text
 * @returns the texts of each declaration without comments; the names that are exported; where others come from, by the
 *   name in this file
 */
export function readDeclarations(text) {
  const declared = new Map();
  const exported = new Set();
  const imported = new Map();
  const passedOn = new Map();
  for (const statement of statementsIn(withoutComments(text))) {
    const declaration = DECLARATION.exec(statement);
    const [, importedNames, importedFrom] = IMPORT.exec(statement) ?? [];
    const [, passedNames, passedFrom] = EXPORT_FROM.exec(statement) ?? [];
    if (declaration) {
      const [, isExported, name] = declaration;
      declared.set(name, [...(declared.get(name) ?? []), statement.replace(/^export /, "").replace(/^declare /, "")]);
      if (isExported) exported.add(name);
    } else if (importedFrom !== undefined) {
      for (const link of linksOf(importedNames, importedFrom)) imported.set(link.as, link);
    } else if (passedFrom !== undefined) {
      for (const link of linksOf(passedNames, passedFrom)) passedOn.set(link.as, link);
    } else if (!IGNORED.test(statement)) {
      throw new Error(`a form that this script does not know: ${statement.slice(0, 200)}`);
    }
  }
  return { declared, exported, imported, passedOn };
}

/** `A`, `type A` and `A as B`, with commas between. */
function linksOf(names, from) {
  return names
    .split(",")
    .map((item) => item.trim().replace(/^type /, ""))
    .filter((item) => item !== "")
    .map((item) => {
      const [name, as = name] = item.split(" as ");
      return { name, as, from };
    });
}

/** Names in a declaration that may mean others: no members, no texts. */
export function namesIn(text) {
  const code = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const names = code.matchAll(new RegExp(`(?<![\\w$.#])${NAME}(?![\\w$]|\\??:|\\()`, "g"));
  return [...new Set([...names].map(([name]) => name))];
}

const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/y;

/** The text at a place, as far as it is one in quotes. */
function quotedAt(text, at) {
  TEXT.lastIndex = at;
  return TEXT.exec(text)?.[0];
}

function withoutComments(text) {
  let code = "";
  for (let at = 0; at < text.length; ) {
    const quoted = quotedAt(text, at);
    if (quoted === undefined && text.startsWith("/*", at)) at = text.indexOf("*/", at) + 2;
    else if (quoted === undefined && text.startsWith("//", at)) at = endOfLine(text, at);
    else {
      code += quoted ?? text[at];
      at += quoted?.length ?? 1;
    }
  }
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  // The compiler indents by four.
  return lines.map((line) => line.trimEnd().replace(/^ +/, (spaces) => " ".repeat(spaces.length / 2))).join("\n");
}

function endOfLine(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Statements end with a semicolon outside of all brackets, those with a body with its last brace. */
function statementsIn(code) {
  const statements = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < code.length; ) {
    const quoted = quotedAt(code, at);
    const sign = quoted === undefined ? code[at] : "";
    at += quoted?.length ?? 1;
    if ("{[(".includes(sign) && sign !== "") depth++;
    if ("}])".includes(sign) && sign !== "") depth--;
    const isEnd = depth === 0 && (sign === ";" || (sign === "}" && BODIED.test(code.slice(start).trimStart())));
    if (!isEnd) continue;
    statements.push(code.slice(start, at).trim());
    start = at;
  }
  if (code.slice(start).trim() !== "") statements.push(code.slice(start).trim());
  return statements;
}
