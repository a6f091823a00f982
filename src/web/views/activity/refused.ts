// Rules and patterns that the server refuses, as other clients can store them: one of them must not hide all time.
import { type Signal, signal } from "@preact/signals";
import { type Category, isActive } from "../../categories.js";
import type { Classifying } from "../../programs.js";
import type { Said } from "../../texts/text.js";

/** What programs are to be told, as it is stored. */
export interface Wished {
  readonly categories: readonly Category[];
  /** Always active windows; "" for none. */
  readonly pattern: string;
}

/** Something that was left out. */
export interface Refused {
  readonly key: string;
  /** The category of the rule; `undefined` for the pattern of what is always active. */
  readonly category: readonly string[] | undefined;
  /** The words of the server. */
  readonly reason: Said;
}

/** What programs are told, and what of the settings is not in it. */
export interface Told {
  readonly classifying: Classifying;
  /** Those whose rules are told, in the same order. */
  readonly categories: readonly Category[];
  readonly refused: readonly Refused[];
}

/** What the server has refused since the page was opened, by what it is: what is mended is something else. */
const known: Signal<ReadonlyMap<string, Refused>> = signal(new Map());

/** Leaves out what the server is known to refuse. */
export function acceptedOf({ categories, pattern }: Wished): Told {
  const active = categories.filter(({ rule }) => isActive(rule));
  const accepted = active.filter((category) => !known.value.has(keyOfRule(category)));
  const isPatternRefused = known.value.has(keyOfPattern(pattern));
  const keys = [...new Set([...active.map(keyOfRule), keyOfPattern(pattern)])];
  return {
    categories: accepted,
    classifying: {
      rules: accepted.map(({ name, rule }) => [name, rule] as const),
      alwaysActivePattern: isPatternRefused ? "" : pattern,
    },
    refused: keys.flatMap((key) => known.value.get(key) ?? []),
  };
}

/** Leaves something out from now on. */
export function leaveOut(refused: Refused): void {
  known.value = new Map([...known.value, [refused.key, refused]]);
}

export function keyOfRule({ name, rule }: Category): string {
  return JSON.stringify(["rule", name, rule]);
}

export function keyOfPattern(pattern: string): string {
  return JSON.stringify(["pattern", pattern]);
}
