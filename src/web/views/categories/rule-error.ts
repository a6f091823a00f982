import { isActivityClientError } from "../../../client/errors.js";
import type { Category } from "../../categories.js";
import { PageError } from "../../page-error.js";
import type { LazyText } from "../../texts/text.js";
import { translateMessage } from "../../texts/translate-message.js";

/** The server's error for a rule, without details about the request. */
export class RuleError extends PageError {
  /** Whether it is about the rule sent as the rule to match. */
  readonly isOfEdited: boolean;
  /** The rule's category; `undefined` if the server does not report it. */
  readonly category: readonly string[] | undefined;

  constructor(say: LazyText, isOfEdited: boolean, category: readonly string[] | undefined) {
    super(say);
    this.isOfEdited = isOfEdited;
    this.category = category;
  }
}

/** Parses an error. @param categories in the order of the request. @returns `undefined` for other failures */
export function ruleError(error: unknown, categories: readonly Category[]): RuleError | undefined {
  if (!isActivityClientError(error) || error.code !== "REFUSED" || error.status !== 400) return undefined;
  const { field, rule = 0 } = error.fault?.place ?? {};
  const isOfEdited = field === "rule";
  const name = categories[rule - 1]?.name;
  return new RuleError(() => translateMessage(error), isOfEdited, isOfEdited ? undefined : name);
}
