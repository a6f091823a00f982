import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { labelOf } from "../categories.js";
import { formatDuration } from "../format.js";
import type { Period } from "../period.js";
import type { Classifying } from "../programs.js";
import type { Source } from "../views/activity/source.js";
import { takeBack } from "./assign.js";
import { Belongs } from "./belongs.js";
import { matchedTime } from "./match.js";
import { matchProgram } from "./match-program.js";
import { deed } from "./notice.js";
import { suggestedRule } from "./rule.js";
import { filterTerms } from "./state.js";

const texts = {
  belongs: "Belongs to ▾",
  noRule: "A rule needs a title, an app or a text",
  moved: (time: string, name: string) => `${time} moved to ${name}.`,
} as const;

export interface ActionsProps {
  readonly source: Source;
  readonly classifying: Classifying;
  readonly period: Period;
  /** Of the period. */
  readonly name: string;
}

/** What can be done with what the filter finds. */
export function Actions({ source, classifying, period, name }: ActionsProps): JSX.Element {
  const [isAssigning, setAssigning] = useState(false);
  const rule = suggestedRule(filterTerms.value);
  const canAssign = rule !== undefined && source.sources.length > 0;
  return (
    <div class="row filter-actions">
      <button
        type="button"
        disabled={!canAssign}
        title={canAssign ? undefined : texts.noRule}
        onClick={() => setAssigning(true)}
      >
        {texts.belongs}
      </button>
      {isAssigning && rule !== undefined && (
        <Belongs
          suggested={rule}
          period={name}
          match={(one, signal) => matchedTime(matchProgram(source, classifying, one), period, signal)}
          onClose={() => setAssigning(false)}
          onDone={(assigned, target, seconds) => {
            setAssigning(false);
            deed.value = {
              text: texts.moved(formatDuration(seconds), labelOf(target)),
              undo: () => takeBack(assigned),
            };
          }}
        />
      )}
    </div>
  );
}
