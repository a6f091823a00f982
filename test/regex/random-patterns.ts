import { intOf } from "../contract/case.js";

const raw = String.raw;

const CHARACTERS = [
  "a",
  "b",
  "A",
  "x",
  "1",
  "-",
  "_",
  " ",
  "é",
  "É",
  "ß",
  "\u212a",
  "ſ",
  "s",
  "k",
  "😀",
  "𝒜",
  "日",
  raw`\n`,
];
const SETS = [
  ...["[ab]", "[^a]", "[a-z]", "[^A-Z]", ".", raw`\w`, raw`\W`, raw`\d`, raw`\D`, raw`\s`, raw`\S`, raw`[\w-]`],
  ...[raw`[^\W\d]`, raw`\p{Lu}`, raw`\P{Lu}`, raw`\p{Greek}`, "[[:alpha:]]", "[a-z&&[^b]]", raw`[\w--a]`, "[À-ÿ]"],
];
const PLACES = ["^", "$", raw`\b`, raw`\B`, raw`\A`, raw`\z`, raw`\b{start}`, raw`\b{end}`];
const GROUPS = ["(?:", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?s:", "(?m:", "(?-i:"];
const COUNTS = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}", "*?", "+?", "??"];
const TEXTS = [..."abAx1-_ éÉßẞsSkK😀😁𝒜日\n\u0301Ωα.", "\u212a", "ſ", "٣", "\ud83d"];

/** Makes patterns and texts that have something to do with each other. */
export class RandomPatterns {
  readonly #random: () => number;
  /** Also atomic groups, references and conditions. */
  readonly #orderDependent: boolean;
  #groups = 0;
  #behind = 0;

  constructor(random: () => number, orderDependent: boolean) {
    this.#random = random;
    this.#orderDependent = orderDependent;
  }

  pattern(): string {
    this.#groups = 0;
    const flags = this.#pick(["", "", "", "", "(?i)", "(?m)"]);
    return flags + this.#choice(3);
  }

  text(): string {
    const kinds = this.#random() < 0.4 ? TEXTS.slice(0, 8) : TEXTS;
    return Array.from({ length: intOf(this.#random, 0, 9) }, () => this.#pick(kinds)).join("");
  }

  #pick<T>(items: readonly T[]): T {
    return items[intOf(this.#random, 0, items.length - 1)] as T;
  }

  #choice(depth: number): string {
    const options = [this.#sequence(depth)];
    while (this.#random() < 0.25) options.push(this.#random() < 0.1 ? "" : this.#sequence(depth));
    return options.join("|");
  }

  #sequence(depth: number): string {
    return Array.from({ length: intOf(this.#random, 1, 3) }, () => this.#part(depth)).join("");
  }

  #part(depth: number): string {
    const kind = this.#random();
    if (kind < 0.08) return this.#pick(PLACES);
    const atom =
      kind < 0.45 ? this.#pick(CHARACTERS) : kind < 0.65 || depth === 0 ? this.#pick(SETS) : this.#group(depth);
    if (this.#random() < 0.6) return atom;
    const count = this.#pick(COUNTS);
    return atom + count + (this.#orderDependent && count.length === 1 && this.#random() < 0.1 ? "+" : "");
  }

  #group(depth: number): string {
    if (this.#orderDependent && this.#random() < 0.5) return this.#orderDependentGroup(depth);
    const opening = this.#pick(GROUPS);
    if (opening.startsWith("(?<")) this.#behind++;
    const group = `${opening}${this.#choice(depth - 1)})`;
    if (opening.startsWith("(?<")) this.#behind--;
    return group;
  }

  #orderDependentGroup(depth: number): string {
    const kind = this.#random();
    const group = intOf(this.#random, 1, Math.max(1, this.#groups));
    if (kind < 0.3) return `(?>${this.#choice(depth - 1)})`;
    // A look-behind cannot refer to its own groups.
    if (kind < 0.5 && this.#groups > 0 && this.#behind === 0) return `\\${group}`;
    if (kind < 0.6 && this.#groups > 0 && this.#behind === 0) {
      return `(?(${group})${this.#sequence(depth - 1)}|${this.#sequence(depth - 1)})`;
    }
    const body = this.#choice(depth - 1);
    this.#groups++;
    return `(${body})`;
  }
}
