import { childrenOf, contains, type Node } from "./ast.js";
import { areDisjoint, asciiTable, type CharSet, createSet, union } from "./char-set.js";
import type { NativeForm } from "./native.js";
import { isAnchored } from "./simplify.js";

/** Upper bound for the work of a backtracking matcher on a part of a pattern, from one text position. */
interface Bound {
  /** Number of ways in which the part can match. */
  readonly ways: number;
  /** Steps to try all of them. */
  readonly steps: number;
}

/** Properties of a part of a pattern. Mirrored in a lookbehind. */
interface Part {
  /** All characters that it can start with. */
  readonly first: CharSet;
  readonly canBeEmpty: boolean;
  /** Minimum number of characters that it consumes. */
  readonly minLength: number;
  /** Whether it repeats something that can match in only one way. */
  readonly isPlainLoop: boolean;
  /** Steps until it fails because the first character does not fit. */
  failureStepsAt(length: number): number;
  boundAt(length: number): Bound;
}

const NOTHING: CharSet = createSet([]);
/** Long enough to detect that a repetition can match in several ways. */
const SOME_LENGTH = 64;

/**
 * Estimates the work of a backtracking matcher without running it. The engine's own matcher cannot be interrupted, so
 * that it only gets a text if this bound is small. `(a+)+$` is exponential, `foo.*bar` is quadratic, and `\w+@` is
 * linear, since `@` can follow only one of the ways of `\w+`.
 *
 * @param form decides which characters can occur
 * @returns steps to search a text with the given number of UTF-16 units
 */
export function boundSearchSteps(root: Node, form: NativeForm): (length: number) => number {
  const starts = (length: number): number => (isAnchored(root) ? 1 : length + 1);
  if (isPlainChoice(root)) {
    // Each part is tried at most once from each position.
    const size = sizeOf(root);
    return (length) => size * starts(length);
  }
  const part = analyze(root, form, false);
  return (length) => part.boundAt(length).steps * starts(length);
}

function analyze(node: Node, form: NativeForm, backwards: boolean): Part {
  switch (node.kind) {
    case "set":
      return { ...emptyPart(() => 1), first: node.set, canBeEmpty: false, minLength: 1 };
    case "sequence": {
      const parts = node.items.map((item) => analyze(item, form, backwards));
      return analyzeSequence(backwards ? parts.reverse() : parts, form);
    }
    case "choice":
      return analyzeChoice(
        node.options.map((option) => analyze(option, form, backwards)),
        form,
      );
    case "repeat":
      return analyzeRepeat(analyze(node.body, form, backwards), node.min, node.max);
    case "lookaround": {
      const body = analyze(node.body, form, node.behind);
      return emptyPart((length) => body.boundAt(length).steps);
    }
    default:
      return emptyPart(() => 1);
  }
}

/** Whether the pattern has only plain alternatives, like most rules. They need no closer analysis. */
function isPlainChoice(root: Node): boolean {
  const options = root.kind === "choice" ? root.options : [root];
  return options.every((option) => !contains(option, ({ kind }) => /repeat|lookaround|choice/.test(kind)));
}

function sizeOf(node: Node): number {
  return 1 + sum(childrenOf(node), sizeOf);
}

function emptyPart(stepsAt: (length: number) => number): Part {
  return {
    first: NOTHING,
    canBeEmpty: true,
    minLength: 0,
    isPlainLoop: false,
    failureStepsAt: stepsAt,
    boundAt: (length) => ({ ways: 1, steps: stepsAt(length) }),
  };
}

/** Longer choices are not compared, since that costs more than it saves. */
const MAX_COMPARED = 64;

function analyzeChoice(options: readonly Part[], form: NativeForm): Part {
  const isExclusive = options.length <= MAX_COMPARED && areExclusive(options, form);
  return {
    first: union(options.map(({ first }) => first)),
    canBeEmpty: options.some(({ canBeEmpty }) => canBeEmpty),
    minLength: Math.min(...options.map(({ minLength: least }) => least)),
    isPlainLoop: false,
    failureStepsAt: (length) => sum(options, ({ failureStepsAt: refusalAt }) => refusalAt(length)),
    boundAt(length) {
      const bounds = options.map(({ boundAt }) => boundAt(length));
      const ways = isExclusive ? Math.max(...bounds.map((bound) => bound.ways)) : sum(bounds, (bound) => bound.ways);
      return { ways, steps: 1 + sum(bounds, ({ steps }) => steps) };
    },
  };
}

/** Whether the first character determines the option. */
function areExclusive(options: readonly Part[], form: NativeForm): boolean {
  return options.every(
    ({ canBeEmpty, first }, index) =>
      !canBeEmpty && options.slice(0, index).every((other) => areDistinct(first, other.first, form)),
  );
}

function analyzeRepeat(body: Part, min: number, max: number): Part {
  return {
    first: body.first,
    canBeEmpty: min === 0 || body.canBeEmpty,
    minLength: min * body.minLength,
    isPlainLoop: !body.canBeEmpty && body.boundAt(SOME_LENGTH).ways <= 1,
    failureStepsAt: (length) => 1 + body.failureStepsAt(length),
    boundAt(length) {
      const { ways: each, steps } = body.boundAt(length);
      // Beyond the minimum, empty iterations do not occur.
      const most = Math.min(max, body.minLength > 0 ? Math.floor(length / body.minLength) : min + length);
      if (each <= 1) return { ways: Math.max(1, most - min + 1), steps: 1 + most * (steps + 1) };
      const rounds = Number.isFinite(each) ? (each ** (most + 1) - 1) / (each - 1) : each;
      return { ways: rounds, steps: 1 + rounds * (steps + 1) };
    },
  };
}

interface Step {
  readonly part: Part;
  /** Whether the next parts can follow only one way of a loop, because they start with different characters. */
  readonly refusesOtherWays: boolean;
  readonly next: readonly Part[];
}

function analyzeSequence(parts: readonly Part[], form: NativeForm): Part {
  const head = headParts(parts);
  const steps = parts.map((part, index): Step => {
    const next = part.isPlainLoop ? headParts(parts.slice(index + 1, index + MAX_COMPARED)) : [];
    const isFirm = next.some(({ canBeEmpty }) => !canBeEmpty);
    return { part, next, refusesOtherWays: isFirm && next.every(({ first }) => areDistinct(part.first, first, form)) };
  });
  return {
    first: union(head.map(({ first }) => first)),
    canBeEmpty: parts.every(({ canBeEmpty }) => canBeEmpty),
    minLength: sum(parts, ({ minLength: least }) => least),
    isPlainLoop: false,
    failureStepsAt: (length) => sum(head, ({ failureStepsAt: refusalAt }) => refusalAt(length)),
    boundAt: (length) => boundOfSequence(steps, length),
  };
}

/** Parts at the start of a sequence, up to the first that cannot be empty. */
function headParts(parts: readonly Part[]): readonly Part[] {
  const firm = parts.findIndex(({ canBeEmpty }) => !canBeEmpty);
  return firm < 0 ? parts : parts.slice(0, firm + 1);
}

function boundOfSequence(sequence: readonly Step[], length: number): Bound {
  let ways = 1;
  let steps = 0;
  for (const { part, refusesOtherWays, next } of sequence) {
    const bound = part.boundAt(length);
    steps += ways * bound.steps;
    if (refusesOtherWays) steps += ways * bound.ways * sum(next, ({ failureStepsAt: refusalAt }) => refusalAt(length));
    else ways *= bound.ways;
  }
  return { ways, steps };
}

function areDistinct(left: CharSet, right: CharSet, form: NativeForm): boolean {
  if (form === "plain") return areDisjoint(left, right);
  const other = asciiTable(right);
  return !asciiTable(left).some((member, codePoint) => member === 1 && other[codePoint] === 1);
}

function sum<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
