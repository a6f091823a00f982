import { Automaton } from "../../src/regex/automaton.js";
import { Backtracker } from "../../src/regex/backtracker.js";
import { loosen } from "../../src/regex/loosen.js";
import { Meter } from "../../src/regex/meter.js";
import { nativeExpression } from "../../src/regex/native.js";
import { parsePattern } from "../../src/regex/parser.js";
import { backtrackingProgram, stateProgram } from "../../src/regex/program.js";
import { type Budget, compileRegex } from "../../src/regex/regex.js";
import { isAnchored, isOrderDependent, simplify } from "../../src/regex/simplify.js";

/** One way of searching; `undefined` for a text that it is not meant for. */
export type Engine = (text: string, budget: Budget) => boolean | undefined;

/** All ways of searching for a pattern, by name. Each that fits a text must give the same answer. */
export function enginesOf(pattern: string, ignoreCase = false): Readonly<Record<string, Engine>> {
  const { root, groupCount } = parsePattern(pattern, ignoreCase);
  const anchored = isAnchored(root);
  const compiled = compileRegex(pattern, { ignoreCase });
  const backtracker = new Backtracker(backtrackingProgram(root, groupCount), anchored);
  const loose = nativeExpression(loosen(root), "plain");
  const engines: Record<string, Engine> = {
    compiled: (text, budget) => compiled.test(text, budget),
    backtracker: (text, budget) => backtracker.search(text, new Meter(budget)),
    // What the loose form does not find is not there; what it finds may be.
    loose: (text) => (loose?.test(text) === false ? false : undefined),
  };
  if (isOrderDependent(root)) return engines;
  const simple = simplify(root);
  const automaton = new Automaton(stateProgram(simple), anchored);
  const plain = nativeExpression(simple, "plain");
  const ascii = nativeExpression(simple, "ascii");
  return {
    ...engines,
    automaton: (text, budget) => automaton.search(text, new Meter(budget)),
    plain: (text) => plain?.test(text),
    ascii: (text) => (/^[\0-\x7f]*$/.test(text) ? ascii?.test(text) : undefined),
  };
}
