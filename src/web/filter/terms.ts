// Words of a filter, as they stand in addresses. Pure.

/** What a condition asks. */
export type TermTest =
  | { readonly kind: "equals"; readonly path: readonly string[]; readonly value: string }
  | { readonly kind: "contains"; readonly path?: readonly string[] | undefined; readonly text: string }
  | {
      readonly kind: "matches";
      readonly path?: readonly string[] | undefined;
      readonly pattern: string;
      readonly ignoreCase: boolean;
    }
  | { readonly kind: "category"; readonly name: readonly string[] };

/** One condition of a filter; all of them together count. */
export type Term = TermTest & { readonly not: boolean };

/** Reads a condition. */
export function parseTerm(written: string): Term {
  const not = written.startsWith("!");
  const rest = (not ? written.slice(1) : written).trim();
  const category = /^category:\s*([\s\S]+)$/.exec(rest)?.[1];
  if (category !== undefined) return { not, kind: "category", name: category.split(/\s*>\s*/) };
  const [, key, sign, text = ""] = /^([\w$-]+)([=~])([\s\S]*)$/.exec(rest) ?? [];
  if (sign === "=" && key !== undefined) return { not, kind: "equals", path: [key], value: text };
  const [, pattern, flag] = /^\/([\s\S]+)\/(i?)$/.exec(key === undefined ? rest : text) ?? [];
  const where = key === undefined ? {} : { path: [key] };
  if (pattern !== undefined) return { not, kind: "matches", ...where, pattern, ignoreCase: flag === "i" };
  return { not, kind: "contains", ...where, text: key === undefined ? rest : text };
}

/** Writes a condition. */
export function formatTerm(term: Term): string {
  return `${term.not ? "!" : ""}${formatTest(term)}`;
}

function formatTest(term: TermTest): string {
  if (term.kind === "category") return `category:${term.name.join(" > ")}`;
  if (term.kind === "equals") return `${term.path.join(".")}=${term.value}`;
  const where = term.path === undefined ? "" : `${term.path.join(".")}~`;
  return term.kind === "contains" ? where + term.text : `${where}/${term.pattern}/${term.ignoreCase ? "i" : ""}`;
}
