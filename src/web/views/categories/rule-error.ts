import { isActivityClientError } from "../../../client/errors.js";
import { type Category, rulesOf } from "../../categories.js";
import { PageError } from "../../page-error.js";
import type { LazyText } from "../../texts/text.js";
import { translateMessage } from "../../texts/translate-message.js";

/** The server's error for a rule, without details about its program. */
export class RuleError extends PageError {
  /** Whether it is about the rule passed separately to `previewProgram`. */
  readonly isOfEdited: boolean;
  /** The rule's category; `undefined` if the server does not report it. */
  readonly category: readonly string[] | undefined;

  constructor(say: LazyText, isOfEdited: boolean, category: readonly string[] | undefined) {
    super(say);
    this.isOfEdited = isOfEdited;
    this.category = category;
  }
}

/** Parses an error. @param categories in the order of the sent rules. @returns `undefined` for other failures */
export function ruleError(error: unknown, categories: readonly Category[]): RuleError | undefined {
  if (!isActivityClientError(error) || error.code !== "REFUSED" || error.status !== 400) return undefined;
  const { line, function: called, rule = 0 } = error.fault?.place ?? {};
  // The first line of a preview contains only the edited rule.
  const isOfEdited = line === 1 && called === "tag";
  const [name] = rulesOf(categories)[rule - 1] ?? [];
  return new RuleError(() => translateMessage(error), isOfEdited, isOfEdited ? undefined : name);
}
