import { Automaton } from "../../src/regex/automaton.js";
import { Backtracker } from "../../src/regex/backtracker.js";
import { loosen } from "../../src/regex/loosen.js";
import { Meter } from "../../src/regex/meter.js";
import { type NativeForm, nativeExpression } from "../../src/regex/native.js";
import { NativeMatcher } from "../../src/regex/native-matcher.js";
import { parsePattern } from "../../src/regex/parser.js";
import { backtrackingProgram, stateProgram } from "../../src/regex/program.js";
import { reachOf } from "../../src/regex/reach.js";
import { type Budget, compileRegex } from "../../src/regex/regex.js";
import type { Search } from "../../src/regex/search.js";
import { isAnchored, isOrderDependent, simplify } from "../../src/regex/simplify.js";
import { searchInWindows, type WindowMatcher, type WindowOptions } from "../../src/regex/windows.js";
import { answerOf, ENDLESS } from "./budget.js";

/** One way of searching; `undefined` for a text that it is not meant for. */
export type Engine = (text: string, budget: Budget) => boolean | undefined;

/** Places in one window: few, so that short texts have several windows. */
const STARTS = 3;

/** All ways of searching for a pattern, by name. Each that fits a text must give the same answer. */
export function enginesOf(pattern: string, ignoreCase = false, canonical = false): Readonly<Record<string, Engine>> {
  const { root, groupCount } = parsePattern(pattern, ignoreCase, canonical);
  const anchored = isAnchored(root);
  const compiled = compileRegex(pattern, { ignoreCase, canonical });
  const backtracker = new Backtracker(backtrackingProgram(root, groupCount), anchored);
  const loose = nativeExpression(loosen(root), "plain");
  const engines: Record<string, Engine> = {
    compiled: (text, budget) => answerOf(compiled.test(text, budget)),
    backtracker: (text, budget) => inOneGo(backtracker.search(text), budget),
    "backtracker with pauses": (text, budget) => withPauses(backtracker.search(text), budget),
    // What the loose form does not find is not there; what it finds may be.
    loose: (text) => (loose?.test(text) === false ? false : undefined),
  };
  if (isOrderDependent(root)) return engines;
  const simple = simplify(root);
  const automaton = new Automaton(stateProgram(simple), anchored);
  const plain = nativeExpression(simple, "plain");
  const ascii = nativeExpression(simple, "ascii");
  const windows = (text: string, form: NativeForm, options: WindowOptions, searched = simple): boolean => {
    const matcher = NativeMatcher.of(searched, form);
    const reach = reachOf(searched);
    const small: WindowMatcher | undefined = matcher && {
      windowSize: Number.isFinite(reach) ? { starts: STARTS, reach } : undefined,
      stepsFor: (length) => matcher.stepsFor(length),
      findMatch: (within, from) => matcher.findMatch(within, from),
    };
    return withPauses(
      searchInWindows(small, text, () => automaton.search(text), options),
      ENDLESS,
    );
  };
  return {
    ...engines,
    automaton: (text, budget) => inOneGo(automaton.search(text), budget),
    "automaton with pauses": (text, budget) => withPauses(automaton.search(text), budget),
    plain: (text) => plain?.test(text),
    ascii: (text) => (/^[\0-\x7f]*$/.test(text) ? ascii?.test(text) : undefined),
    "plain in windows": (text) => windows(text, "plain", {}),
    "ascii in windows": (text) => windows(text, "ascii", { isForAscii: true }),
    "loose in windows": (text) => windows(text, "plain", { isLoose: true }, loosen(root)),
  };
}

function inOneGo(search: Search, budget: Budget): boolean | undefined {
  return search.go(new Meter(budget));
}

/** As many pauses as the search can make; the budget is asked all the same. */
function withPauses(search: Search, budget: Budget): boolean {
  const ended: Budget = { spend: (steps) => budget.spend(steps), isSliceOver: () => true };
  return answerOf({ go: () => search.go(new Meter(ended, 1)) });
}
