// Converts a filter for searching and deleting events. Pure.
import { formatTerm, parseTerm, type Term } from "../../filter/term.js";
import { escaped } from "./escaped.js";

/** The equivalent conditions for stored events, which have page URLs but no sites. */
export function termsForEvents(filter: readonly string[]): readonly string[] {
  return filter.map((text) => {
    const term = tryParseTerm(text);
    if (term?.kind !== "equals" || term.path.join(".") !== "site") return text;
    const pattern = `^[a-z][a-z+.-]*://(?:[^/@]*@)?(?:www\\.)?${escaped(term.value)}(?=[:/?#]|$)`;
    return formatTerm({ kind: "matches", path: ["url"], pattern, ignoreCase: true, not: term.not });
  });
}

function tryParseTerm(text: string): Term | undefined {
  try {
    return parseTerm(text);
  } catch {
    return undefined;
  }
}
