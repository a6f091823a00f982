import { childrenOf, contains, type Node } from "./ast.js";
import { areDisjoint, asciiTable, type CharSet, setOf, union } from "./char-set.js";
import type { NativeForm } from "./native.js";
import { isAnchored } from "./simplify.js";

/** How much a backtracking matcher may do with a part of a pattern, from one place in the text. */
interface Bound {
  /** In how many ways the part can match, if all of them are tried. */
  readonly ways: number;
  /** Steps to try all of them. */
  readonly steps: number;
}

/** What is known about a part of a pattern. Behind a place, everything is mirrored. */
interface Part {
  /** Every character that it can begin with. */
  readonly first: CharSet;
  readonly canBeEmpty: boolean;
  /** Fewest characters that it takes. */
  readonly least: number;
  /** It repeats something that can match in only one way. */
  readonly isPlainLoop: boolean;
  /** Steps until it is given up because the first character does not fit. */
  refusalAt(length: number): number;
  boundAt(length: number): Bound;
}

const NOTHING: CharSet = setOf([]);
/** Long enough for a repetition to show that it has several ways. */
const SOME_LENGTH = 64;

/**
 * Bounds the work of a backtracking matcher from above, without running it: the engine's own matcher cannot be
 * interrupted, so it only gets a text when this is small. `(a+)+$` is infinitely bad, `foo.*bar` grows with the square
 * of the text, `\w+@` with the text alone, since only the last of the ways of `\w+` can be followed by `@`.
 *
 * @param form decides which characters can occur at all
 * @returns steps to search a text of so many UTF-16 units
 */
export function searchStepsOf(root: Node, form: NativeForm): (length: number) => number {
  const starts = (length: number): number => (isAnchored(root) ? 1 : length + 1);
  if (isListOfWords(root)) {
    // Each part is tried at most once from each place.
    const size = sizeOf(root);
    return (length) => size * starts(length);
  }
  const part = partOf(root, form, false);
  return (length) => part.boundAt(length).steps * starts(length);
}

function partOf(node: Node, form: NativeForm, backwards: boolean): Part {
  switch (node.kind) {
    case "set":
      return { ...takingNothing(() => 1), first: node.set, canBeEmpty: false, least: 1 };
    case "sequence": {
      const parts = node.items.map((item) => partOf(item, form, backwards));
      return partOfSequence(backwards ? parts.reverse() : parts, form);
    }
    case "choice":
      return partOfChoice(
        node.options.map((option) => partOf(option, form, backwards)),
        form,
      );
    case "repeat":
      return partOfRepeat(partOf(node.body, form, backwards), node.min, node.max);
    case "lookaround": {
      const body = partOf(node.body, form, node.behind);
      return takingNothing((length) => body.boundAt(length).steps);
    }
    default:
      return takingNothing(() => 1);
  }
}

/** Most rules are; for them the rest of this module would be too much. */
function isListOfWords(root: Node): boolean {
  const options = root.kind === "choice" ? root.options : [root];
  return options.every((option) => !contains(option, ({ kind }) => /repeat|lookaround|choice/.test(kind)));
}

function sizeOf(node: Node): number {
  return 1 + sum(childrenOf(node), sizeOf);
}

function takingNothing(stepsAt: (length: number) => number): Part {
  return {
    first: NOTHING,
    canBeEmpty: true,
    least: 0,
    isPlainLoop: false,
    refusalAt: stepsAt,
    boundAt: (length) => ({ ways: 1, steps: stepsAt(length) }),
  };
}

/** Comparing the options of longer choices costs more than it is worth. */
const MOST_COMPARED = 64;

function partOfChoice(options: readonly Part[], form: NativeForm): Part {
  const isExclusive = options.length <= MOST_COMPARED && areExclusive(options, form);
  return {
    first: union(options.map(({ first }) => first)),
    canBeEmpty: options.some(({ canBeEmpty }) => canBeEmpty),
    least: Math.min(...options.map(({ least }) => least)),
    isPlainLoop: false,
    refusalAt: (length) => sum(options, ({ refusalAt }) => refusalAt(length)),
    boundAt(length) {
      const bounds = options.map(({ boundAt }) => boundAt(length));
      const ways = isExclusive ? Math.max(...bounds.map((bound) => bound.ways)) : sum(bounds, (bound) => bound.ways);
      return { ways, steps: 1 + sum(bounds, ({ steps }) => steps) };
    },
  };
}

/** Whether the first character tells which of the options it can be. */
function areExclusive(options: readonly Part[], form: NativeForm): boolean {
  return options.every(
    ({ canBeEmpty, first }, index) =>
      !canBeEmpty && options.slice(0, index).every((other) => areApart(first, other.first, form)),
  );
}

function partOfRepeat(body: Part, min: number, max: number): Part {
  return {
    first: body.first,
    canBeEmpty: min === 0 || body.canBeEmpty,
    least: min * body.least,
    isPlainLoop: !body.canBeEmpty && body.boundAt(SOME_LENGTH).ways <= 1,
    refusalAt: (length) => 1 + body.refusalAt(length),
    boundAt(length) {
      const { ways: each, steps } = body.boundAt(length);
      // Beyond the lower count, a round that takes nothing is not made.
      const most = Math.min(max, body.least > 0 ? Math.floor(length / body.least) : min + length);
      if (each <= 1) return { ways: Math.max(1, most - min + 1), steps: 1 + most * (steps + 1) };
      const rounds = Number.isFinite(each) ? (each ** (most + 1) - 1) / (each - 1) : each;
      return { ways: rounds, steps: 1 + rounds * (steps + 1) };
    },
  };
}

interface Step {
  readonly part: Part;
  /** Of the ways of a loop only one is followed by what comes next, where the two begin differently. */
  readonly refusesOtherWays: boolean;
  readonly next: readonly Part[];
}

function partOfSequence(parts: readonly Part[], form: NativeForm): Part {
  const head = headOf(parts);
  const steps = parts.map((part, index): Step => {
    const next = part.isPlainLoop ? headOf(parts.slice(index + 1, index + MOST_COMPARED)) : [];
    const isFirm = next.some(({ canBeEmpty }) => !canBeEmpty);
    return { part, next, refusesOtherWays: isFirm && next.every(({ first }) => areApart(part.first, first, form)) };
  });
  return {
    first: union(head.map(({ first }) => first)),
    canBeEmpty: parts.every(({ canBeEmpty }) => canBeEmpty),
    least: sum(parts, ({ least }) => least),
    isPlainLoop: false,
    refusalAt: (length) => sum(head, ({ refusalAt }) => refusalAt(length)),
    boundAt: (length) => boundOfSequence(steps, length),
  };
}

/** What a sequence can begin with: its parts up to the first that cannot be empty. */
function headOf(parts: readonly Part[]): readonly Part[] {
  const firm = parts.findIndex(({ canBeEmpty }) => !canBeEmpty);
  return firm < 0 ? parts : parts.slice(0, firm + 1);
}

function boundOfSequence(sequence: readonly Step[], length: number): Bound {
  let ways = 1;
  let steps = 0;
  for (const { part, refusesOtherWays, next } of sequence) {
    const bound = part.boundAt(length);
    steps += ways * bound.steps;
    if (refusesOtherWays) steps += ways * bound.ways * sum(next, ({ refusalAt }) => refusalAt(length));
    else ways *= bound.ways;
  }
  return { ways, steps };
}

function areApart(left: CharSet, right: CharSet, form: NativeForm): boolean {
  if (form === "plain") return areDisjoint(left, right);
  const other = asciiTable(right);
  return !asciiTable(left).some((member, codePoint) => member === 1 && other[codePoint] === 1);
}

function sum<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
