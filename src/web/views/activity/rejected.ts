// Rules and patterns that the server rejects. Other clients can store invalid ones, which must not hide all time.
import { type Signal, signal } from "@preact/signals";
import { type Category, isActive } from "../../categories.js";
import type { Classifying } from "../../programs.js";
import type { LazyText } from "../../texts/text.js";

/** Stored parameters for programs. */
export interface StoredParameters {
  readonly categories: readonly Category[];
  /** Always active windows; "" for none. */
  readonly pattern: string;
}

/** A part that was left out. */
export interface RejectedPart {
  readonly key: string;
  /** The rule's category; `undefined` for the always-active pattern. */
  readonly category: readonly string[] | undefined;
  /** Message of the server. */
  readonly reason: LazyText;
}

/** Valid parameters for programs, and the parts that were left out. */
export interface ValidParameters {
  readonly classifying: Classifying;
  /** Categories whose rules are included, in the same order. */
  readonly categories: readonly Category[];
  readonly refused: readonly RejectedPart[];
}

/** Rejected parts since the page was opened, by content, so that fixed ones are retried. */
const known: Signal<ReadonlyMap<string, RejectedPart>> = signal(new Map());

/** Removes known invalid parts. */
export function excludeRejected({ categories, pattern }: StoredParameters): ValidParameters {
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

/** Leaves out a part from now on. */
export function excludePart(refused: RejectedPart): void {
  known.value = new Map([...known.value, [refused.key, refused]]);
}

export function keyOfRule({ name, rule }: Category): string {
  return JSON.stringify(["rule", name, rule]);
}

export function keyOfPattern(pattern: string): string {
  return JSON.stringify(["pattern", pattern]);
}
