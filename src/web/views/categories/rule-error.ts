import { isActivityClientError } from "../../../client/errors.js";
import { type Category, rulesOf } from "../../categories.js";
import { PageError } from "../../page-error.js";
import { saidBy } from "../../texts/said-by.js";
import type { Said } from "../../texts/text.js";
import { readProgramError } from "../query/program-error.js";

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

const MESSAGE = /\b(?:regex|\w+) of rule (?<number>\d+)(?:: (?<reason>[\s\S]*))?/;

/** Reads a refusal. @param categories those whose rules were sent. @returns `undefined` for failures of other kinds */
export function ruleError(error: unknown, categories: readonly Category[]): RuleError | undefined {
  if (!isActivityClientError(error) || error.code !== "REFUSED" || error.status !== 400) return undefined;
  const { reason, place } = readProgramError(error.serverMessage ?? "");
  const found = MESSAGE.exec(reason)?.groups;
  // The first line of a preview holds nothing but the rule that is edited.
  const isOfEdited = place?.line === 1 && reason.startsWith("tag:");
  const [name] = rulesOf(categories)[Number(found?.["number"]) - 1] ?? [];
  const say = (): string => saidBy(error, found?.["reason"] ?? reason);
  return new RuleError(say, isOfEdited, isOfEdited ? undefined : name);
}
