import { isActivityClientError } from "../../../client/errors.js";
import { type Category, rulesOf } from "../../categories.js";
import { readProgramError } from "../query/program-error.js";

/** What the server has against a rule, without what it says about the program that the rule came in. */
export class RuleError extends Error {
  /** Whether it is about the rule that `previewProgram` was given apart from the others. */
  readonly isOfEdited: boolean;
  /** The category that the rule belongs to; `undefined` when the server does not say. */
  readonly category: readonly string[] | undefined;

  constructor(reason: string, isOfEdited: boolean, category: readonly string[] | undefined) {
    super(reason);
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
  return new RuleError(found?.["reason"] ?? reason, isOfEdited, isOfEdited ? undefined : name);
}
