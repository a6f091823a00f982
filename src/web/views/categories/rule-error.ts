import { isActivityClientError } from "../../../client/errors.js";
import { type Category, rulesOf } from "../../categories.js";
import { PageError } from "../../page-error.js";
import { saidBy } from "../../texts/said-by.js";
import type { Said } from "../../texts/text.js";

/** What the server has against a rule, without what it says about the program that the rule came in. */
export class RuleError extends PageError {
  /** Whether it is about the rule that `previewProgram` was given apart from the others. */
  readonly isOfEdited: boolean;
  /** The category that the rule belongs to; `undefined` when the server does not say. */
  readonly category: readonly string[] | undefined;

  constructor(say: Said, isOfEdited: boolean, category: readonly string[] | undefined) {
    super(say);
    this.isOfEdited = isOfEdited;
    this.category = category;
  }
}

/** Reads a refusal. @param categories those whose rules were sent. @returns `undefined` for failures of other kinds */
export function ruleError(error: unknown, categories: readonly Category[]): RuleError | undefined {
  if (!isActivityClientError(error) || error.code !== "REFUSED" || error.status !== 400) return undefined;
  const { line, function: called, rule = 0 } = error.fault?.place ?? {};
  // The first line of a preview holds nothing but the rule that is edited.
  const isOfEdited = line === 1 && called === "tag";
  const [name] = rulesOf(categories)[rule - 1] ?? [];
  return new RuleError(() => saidBy(error), isOfEdited, isOfEdited ? undefined : name);
}
