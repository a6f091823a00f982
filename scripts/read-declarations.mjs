// Reads a declaration file as the compiler writes it: which names it declares, imports and exports. No parser of the
// language is at hand; the compiler's output has few forms, and anything else is an error here.

const NAME = "[A-Za-z_$][\\w$]*";
const DECLARATION = new RegExp(
  `^(export )?(?:declare )?(?:abstract )?(?:interface|class|type|function|const|let|namespace) (${NAME})`,
);
const BODIED = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|namespace) /;
const IMPORT = /^import (type )?\{([^}]*)\} from "([^"]+)";$/;
const EXPORT_FROM = /^export (type )?\{([^}]*)\} from "([^"]+)";$/;
const IGNORED = /^(?:export \{\};|import "[^"]+";|\/\/\/.*)$/;

/**
 * @param {string} text
 * @returns the texts of each declaration, without comments and as they are; the names that are exported; where others
 *   come from, by the name in this file
 */
export function readDeclarations(text) {
  const declared = new Map();
  const sources = new Map();
  const exported = new Set();
  const imported = new Map();
  const passedOn = new Map();
  for (const source of statementsIn(text)) {
    const statement = withoutComments(source);
    if (statement === "") continue;
    const declaration = DECLARATION.exec(statement);
    const [, importsTypes, importedNames, importedFrom] = IMPORT.exec(statement) ?? [];
    const [, passesTypes, passedNames, passedFrom] = EXPORT_FROM.exec(statement) ?? [];
    if (declaration) {
      const [, isExported, name] = declaration;
      declared.set(name, [...(declared.get(name) ?? []), statement.replace(/^export /, "").replace(/^declare /, "")]);
      sources.set(name, [...(sources.get(name) ?? []), source]);
      if (isExported) exported.add(name);
    } else if (importedFrom !== undefined) {
      for (const link of linksOf(importedNames, importedFrom, importsTypes)) imported.set(link.as, link);
    } else if (passedFrom !== undefined) {
      for (const link of linksOf(passedNames, passedFrom, passesTypes)) passedOn.set(link.as, link);
    } else if (!IGNORED.test(statement)) {
      throw new Error(`a form that this script does not know: ${statement.slice(0, 200)}`);
    }
  }
  return { declared, sources, exported, imported, passedOn };
}

/** `A`, `type A` and `A as B`, with commas between. */
function linksOf(names, from, areTypes) {
  return names
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      const [name, as = name] = item.replace(/^type /, "").split(" as ");
      return { name, as, from, isType: areTypes !== undefined || item.startsWith("type ") };
    });
}

/** Names in a declaration that may mean others: no members, no texts. */
export function namesIn(text) {
  const code = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...new Set([...code.matchAll(REFERENCE)].map(([name]) => name))];
}

const REFERENCE = new RegExp(`(?<![\\w$#]|(?<!\\.\\.)\\.)${NAME}(?![\\w$]|\\??:|\\??\\()`, "g");

/**
 * A declaration with other names in place of those that it mentions, outside of comments and texts.
 *
 * @param renamed returns the other name, which may be the same
 */
export function renameIn(text, renamed) {
  let result = "";
  let code = "";
  const flush = () => {
    result += code.replace(REFERENCE, (name) => renamed(name));
    code = "";
  };
  for (let at = 0; at < text.length; ) {
    const kept = commentAt(text, at) ?? quotedAt(text, at);
    // A type may be mentioned in a template.
    if (kept === undefined || kept.startsWith("`")) {
      code += kept ?? text[at];
    } else {
      flush();
      result += kept;
    }
    at += kept?.length ?? 1;
  }
  flush();
  return result;
}

const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/y;

/** The text at a place, as far as it is one in quotes. */
function quotedAt(text, at) {
  TEXT.lastIndex = at;
  return TEXT.exec(text)?.[0];
}

/** The comment that begins at a place. */
function commentAt(text, at) {
  if (text.startsWith("/*", at)) return text.slice(at, text.indexOf("*/", at) + 2);
  return text.startsWith("//", at) ? text.slice(at, endOfLine(text, at)) : undefined;
}

function withoutComments(text) {
  let code = "";
  for (let at = 0; at < text.length; ) {
    const comment = commentAt(text, at);
    const kept = comment === undefined ? (quotedAt(text, at) ?? text[at]) : "";
    code += kept;
    at += comment?.length ?? kept.length;
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
function statementsIn(text) {
  const statements = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const kept = commentAt(text, at) ?? quotedAt(text, at);
    const sign = kept === undefined ? text[at] : "";
    at += kept?.length ?? 1;
    if ("{[(".includes(sign) && sign !== "") depth++;
    if ("}])".includes(sign) && sign !== "") depth--;
    const isEnd =
      depth === 0 &&
      (sign === ";" || (sign === "}" && BODIED.test(withoutComments(text.slice(start, at)).trimStart())));
    if (!isEnd) continue;
    statements.push(text.slice(start, at).trim());
    start = at;
  }
  if (text.slice(start).trim() !== "") statements.push(text.slice(start).trim());
  return statements;
}
