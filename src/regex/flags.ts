import type { PatternReader } from "./reader.js";
import { excerpt } from "./syntax-error.js";

/** Flags that inline groups such as `(?im-s)` switch. */
export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  /** Ignores white space and comments in the pattern. */
  readonly extended: boolean;
  /** Swaps greedy and lazy: `a*` is lazy and `a*?` is greedy. */
  readonly swapGreed: boolean;
}

const LETTERS: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiline",
  s: "dotAll",
  x: "extended",
  U: "swapGreed",
};

/** Parses the letters between `(?` and the `:` or `)`, which it does not consume. `u` is always on. */
export function readFlags(reader: PatternReader, flags: Flags, groupAt: number): Flags {
  const [letters] = reader.takeMatch(/[A-Za-z]*(?:-[A-Za-z]*)?/y) as RegExpExecArray;
  if (reader.isAtEnd) reader.fail("openGroup", {}, groupAt);
  const isPlain = letters === "" && reader.next === ":";
  if (!isPlain && (!/[:)]/.test(reader.next) || /^-?$/.test(letters))) {
    reader.fail("noSuchGroupKind", { beginning: `(?${excerpt(letters)}${reader.next}` }, groupAt);
  }
  const changed: { -readonly [Name in keyof Flags]: boolean } = { ...flags };
  const [on = "", off = ""] = letters.split("-");
  for (const letter of on) if (letter !== "u") changed[flagOf(reader, letter, groupAt)] = true;
  for (const letter of off) changed[flagOf(reader, letter, groupAt)] = false;
  return changed;
}

function flagOf(reader: PatternReader, letter: string, groupAt: number): keyof Flags {
  const flag = LETTERS[letter];
  return flag ?? reader.fail("noSuchFlag", { flag: letter }, groupAt);
}
