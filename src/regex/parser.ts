import { type Assertion, choiceOf, EMPTY, type Node, sequenceOf } from "./ast.js";
import { setOfPoints } from "./char-set.js";
import { foldSet, readClass } from "./class-parser.js";
import { composeAhead, isComposed } from "./composing.js";
import { readEscape } from "./escapes.js";
import { type Flags, readFlags } from "./flags.js";
import { NESTING_LIMIT, PATTERN_LIMIT } from "./limits.js";
import { ANY, NOT_NEWLINE } from "./properties.js";
import { PatternReader } from "./reader.js";
import { checkSize } from "./size.js";
import { quoteExcerpt } from "./syntax-error.js";

const NAME_IN_MARKS = /<([\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*)>|'([\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*)'/uy;

const LAST_ASCII = 0x7f;
/** Shared by all patterns. */
const ASCII_LITERALS = new Map<number, Node>();

/** A pattern as a syntax tree. */
export interface ParsedPattern {
  readonly root: Node;
  readonly groupCount: number;
  /** Size with repetitions expanded, about the number of instructions. */
  readonly size: number;
}

/**
 * Parses the dialect of docs/reference/regex.md.
 *
 * @param isCanonical whether to compose characters, for composed texts
 * @throws RegexSyntaxError for an invalid, too long or too large pattern
 */
export function parsePattern(pattern: string, ignoreCase: boolean, isCanonical = false): ParsedPattern {
  const reader = new PatternReader(pattern, isCanonical);
  if (pattern.length > PATTERN_LIMIT) reader.fail("patternTooLong", { limit: PATTERN_LIMIT }, 0);
  const parser = new Parser(reader, ignoreCase);
  const root = parser.parse();
  return { root, groupCount: parser.groupCount, size: checkSize(root) };
}

class Parser {
  readonly #reader: PatternReader;
  #flags: Flags;
  #depth = 0;
  groupCount = 0;
  /**
   * Number of groups that references can name here. A lookbehind is matched from right to left, so that references
   * would precede their groups. Python and Rust reject such references as well.
   */
  #groupsBeforeBehind = Number.POSITIVE_INFINITY;
  readonly #groupsByName = new Map<string, number>();
  /** References by number may precede their group, so that they are checked at the end. */
  readonly #references: { readonly group: number; readonly at: number }[] = [];
  /** One set per literal, keyed by character and case sensitivity. */
  readonly #literals = new Map<number, Node>();

  constructor(reader: PatternReader, ignoreCase: boolean) {
    this.#reader = reader;
    this.#flags = { ignoreCase, multiline: false, dotAll: false, extended: false, swapGreed: false };
  }

  parse(): Node {
    const root = this.#parseChoice();
    if (!this.#reader.isAtEnd) this.#reader.fail("nothingToClose", {});
    for (const { group, at } of this.#references) {
      if (group > this.groupCount) this.#reader.fail("noSuchGroup", { group }, at);
    }
    return root;
  }

  #parseChoice(): Node {
    const options = [this.#parseSequence()];
    while (this.#reader.take("|")) options.push(this.#parseSequence());
    return choiceOf(options);
  }

  #parseSequence(): Node {
    const items: Node[] = [];
    for (;;) {
      this.#skipIgnored();
      if (this.#reader.isAtEnd || this.#reader.next === "|" || this.#reader.next === ")") return sequenceOf(items);
      const atom = this.#parseAtom(items);
      if (atom) items.push(this.#parseQuantifier(atom));
    }
  }

  #skipIgnored(): void {
    for (;;) {
      if (this.#flags.extended) this.#reader.skipExtended();
      if (this.#reader.next !== "(" || !this.#reader.startsWith("(?#")) return;
      const from = this.#reader.at;
      if (!this.#reader.takeMatch(/\(\?#(?:[^\\)]|\\[\s\S])*\)/y)) this.#reader.fail("openComment", {}, from);
    }
  }

  /**
   * @param before receives nodes that precede the atom
   * @returns `undefined` if the construct only sets flags
   */
  #parseAtom(before: Node[]): Node | undefined {
    const reader = this.#reader;
    switch (reader.next) {
      case "(":
        return this.#parseGroup();
      case "[":
        return { kind: "set", set: readClass(reader, this.#flags.ignoreCase) };
      case "\\":
        return this.#parseEscape(before);
      case "*":
      case "+":
      case "?":
        return reader.fail("nothingToRepeat", { sign: reader.next });
      case ".":
        reader.at++;
        return { kind: "set", set: this.#flags.dotAll ? ANY : NOT_NEWLINE };
      case "^":
        reader.at++;
        return assertion(this.#flags.multiline ? "line-start" : "text-start");
      case "$":
        reader.at++;
        return assertion(this.#flags.multiline ? "line-end" : "text-end");
      default:
        return this.#parseCharacter(reader.takeCodePoint(), before);
    }
  }

  /**
   * Parses a literal. A mark that does not compose with the previous character is a separate node; a quantifier after
   * it applies only to the mark.
   */
  #parseCharacter(codePoint: number, before: Node[]): Node {
    if (!this.#reader.isCanonical || isComposed(this.#reader, codePoint)) return this.#literal(codePoint);
    const { points, hasMarks } = composeAhead(this.#reader, codePoint);
    const nodes = points.map((point) => this.#literal(point));
    if (!hasMarks) return sequenceOf(nodes);
    before.push(...nodes.slice(0, -1));
    return nodes.at(-1) as Node;
  }

  #literal(codePoint: number): Node {
    const { ignoreCase } = this.#flags;
    const key = 2 * codePoint + Number(ignoreCase);
    const literals = codePoint <= LAST_ASCII ? ASCII_LITERALS : this.#literals;
    let node = literals.get(key);
    if (!node) {
      node = { kind: "set", set: foldSet(setOfPoints([codePoint]), ignoreCase) };
      literals.set(key, node);
    }
    return node;
  }

  #parseEscape(before: Node[]): Node {
    const from = this.#reader.at;
    const found = readEscape(this.#reader, false);
    switch (found.kind) {
      case "character":
        return this.#parseCharacter(found.codePoint, before);
      case "set":
        return { kind: "set", set: foldSet(found.set, this.#flags.ignoreCase) };
      case "node":
        return found.node;
      case "reference":
        return this.#reference(found.group, from);
    }
  }

  #reference(group: number | string, at: number): Node {
    return { kind: "backreference", group: this.#groupOf(group, at), ignoreCase: this.#flags.ignoreCase };
  }

  /** Resolves a group. A name must be defined before; a negative number counts backward from here. */
  #groupOf(group: number | string, at: number): number {
    const number = typeof group === "string" ? this.#groupsByName.get(group) : group;
    if (number === undefined) {
      return this.#reader.fail("noSuchGroupBefore", { name: quoteExcerpt(String(group)) }, at);
    }
    const index = number < 0 ? this.groupCount + 1 + number : number;
    if (index > this.#groupsBeforeBehind) {
      return this.#reader.fail("referenceInLookBehind", {}, at);
    }
    if (index < 1) return this.#reader.fail("noSuchGroup", { group: number }, at);
    this.#references.push({ group: index, at });
    return index;
  }

  #parseQuantifier(atom: Node): Node {
    this.#skipIgnored();
    const reader = this.#reader;
    const from = reader.at;
    if (!"*+?{".includes(reader.next)) return atom;
    const match = reader.takeMatch(/[*+?]|\{(?:(\d+)(,?)(\d*)|,(\d*))\}/y);
    if (!match) return atom;
    const [min, max] = countsOf(match);
    if (min > max) return reader.fail("countsReversed", {}, from);
    this.#skipIgnored();
    const lazy = reader.take("?") !== this.#flags.swapGreed;
    const repeat: Node = { kind: "repeat", body: atom, min, max, lazy, at: from };
    return reader.take("+") ? { kind: "atomic", body: repeat } : repeat;
  }

  #parseGroup(): Node | undefined {
    const reader = this.#reader;
    const from = reader.at;
    if (++this.#depth > NESTING_LIMIT) reader.fail("groupsTooDeep", { limit: NESTING_LIMIT });
    reader.take("(");
    const outer = this.#flags;
    const node = reader.take("?") ? this.#parseSpecialGroup(from) : this.#parseCapture(from);
    // Flags without a colon apply until the end of the enclosing group.
    if (node) this.#flags = outer;
    this.#depth--;
    return node;
  }

  #parseCapture(from: number, name?: string): Node {
    const index = ++this.groupCount;
    if (name !== undefined) {
      if (this.#groupsByName.has(name)) {
        this.#reader.fail("secondGroup", { name: quoteExcerpt(name) }, from);
      }
      this.#groupsByName.set(name, index);
    }
    return { kind: "group", body: this.#parseBody(from), index };
  }

  #parseBody(from: number): Node {
    const body = this.#parseChoice();
    if (!this.#reader.take(")")) this.#reader.fail("openGroup", {}, from);
    return body;
  }

  /** The reader is after `(?`. */
  #parseSpecialGroup(from: number): Node | undefined {
    const reader = this.#reader;
    const lookaround = reader.takeMatch(/(<?)([=!])/y);
    if (lookaround) return this.#parseLookaround(lookaround[1] === "<", lookaround[2] === "!", from);
    if (reader.take(">")) return { kind: "atomic", body: this.#parseBody(from) };
    if (reader.take("(")) return this.#parseCondition(from);
    const reference = reader.takeMatch(/P=([^)]*)\)/y);
    if (reference) return this.#reference(reference[1] ?? "", from);
    if (reader.takeMatch(/P?(?=<)|(?=')/y)) return this.#parseCapture(from, this.#parseName(from));
    this.#flags = readFlags(reader, this.#flags, from);
    if (reader.take(":")) return this.#parseBody(from);
    reader.take(")");
    return undefined;
  }

  #parseLookaround(behind: boolean, negative: boolean, from: number): Node {
    const outer = this.#groupsBeforeBehind;
    if (behind) this.#groupsBeforeBehind = Math.min(outer, this.groupCount);
    const body = this.#parseBody(from);
    this.#groupsBeforeBehind = outer;
    return { kind: "lookaround", behind, negative, body };
  }

  #parseName(from: number): string {
    const match = this.#reader.takeMatch(NAME_IN_MARKS);
    return match?.[1] ?? match?.[2] ?? this.#reader.fail("namelessGroup", {}, from);
  }

  /** The reader is after `(?(`. A condition can only test whether a group matched. */
  #parseCondition(from: number): Node {
    const match = this.#reader.takeMatch(/(?:<([^>]+)>|'([^']+)'|([^()<'?][^()]*))\)/y);
    const name = match?.[1] ?? match?.[2] ?? match?.[3];
    if (name === undefined) return this.#reader.fail("conditionWithoutGroup", {}, from);
    const group = this.#groupOf(/^-?\d+$/.test(name) ? Number(name) : name, from);
    const body = this.#parseBody(from);
    if (body.kind !== "choice") return { kind: "condition", group, yes: body, no: EMPTY };
    const [yes = EMPTY, ...no] = body.options;
    return { kind: "condition", group, yes, no: choiceOf(no) };
  }
}

function assertion(what: Assertion): Node {
  return { kind: "assertion", what };
}

/** @param match of a quantifier: the symbol; or minimum, comma and maximum; or maximum after a comma */
function countsOf(match: RegExpExecArray): [min: number, max: number] {
  const [sign, min, comma, max, onlyMax] = match;
  if (sign === "*") return [0, Number.POSITIVE_INFINITY];
  if (sign === "+") return [1, Number.POSITIVE_INFINITY];
  if (sign === "?") return [0, 1];
  if (min === undefined) return [0, onlyMax ? Number(onlyMax) : Number.POSITIVE_INFINITY];
  if (max) return [Number(min), Number(max)];
  return [Number(min), comma ? Number.POSITIVE_INFINITY : Number(min)];
}
