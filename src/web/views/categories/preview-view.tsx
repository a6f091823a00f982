import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type CategoryRule, isActive, keyOf, labelOf } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { formatCount, formatDuration, formatShare, shorten } from "../../format.js";
import { type Group, MOST_MATCHING, type Preview } from "./preview.js";
import { PREVIEW_DAYS } from "./use-preview.js";

const STEP = 12;

export interface PreviewViewProps {
  /** `undefined` while there is none of this rule. */
  readonly preview: Preview | undefined;
  readonly name: readonly string[];
  readonly rule: CategoryRule | undefined;
  readonly colors: CategoryColors;
  /** Whether it is of the present rule, of one before it, or of one before it since the present one is wrong. */
  readonly state: "new" | "old" | "wrong";
}

/** What a rule would match of the last days. */
export function PreviewView({ preview, name, rule, colors, state }: PreviewViewProps): JSX.Element {
  if (preview === undefined) {
    const text = state === "wrong" ? "Nothing to show before the expression is right." : "Trying it…";
    return (
      <section class="preview" aria-label="What it would match">
        <h3>Last {PREVIEW_DAYS} days</h3>
        <p class="quiet">{text}</p>
      </section>
    );
  }
  const { matching, matchingSeconds, others, seconds } = preview;
  const taken = matching.filter(({ category }) => keyOf(category) !== keyOf(name));
  const count =
    matching.length >= MOST_MATCHING ? `more than ${formatCount(MOST_MATCHING)}` : formatCount(matching.length);
  return (
    <section class="preview" aria-busy={state === "old"} aria-label="What it would match">
      <h3>
        Last {PREVIEW_DAYS} days{state === "wrong" && ", by the expression before that worked"}
      </h3>
      {rule === undefined || !isActive(rule) ? (
        <p class="quiet">Without a rule it matches nothing itself.</p>
      ) : (
        <>
          <p role="status" class="preview-sum">
            Matches <strong>{count}</strong> {matching.length === 1 ? "title" : "titles"},{" "}
            <strong>{formatDuration(matchingSeconds)}</strong> ({formatShare(matchingSeconds, seconds)} of the time)
            {taken.length > 0 && <>; {formatCount(taken.length)} of them go to another category</>}.
          </p>
          <Groups groups={matching} label="Matching apps and titles" name={name} colors={colors} />
        </>
      )}
      <details>
        <summary>The longest that it does not match</summary>
        <Groups groups={others} label="Apps and titles that do not match" name={name} colors={colors} />
      </details>
    </section>
  );
}

interface GroupsProps {
  readonly groups: readonly Group[];
  readonly label: string;
  readonly name: readonly string[];
  readonly colors: CategoryColors;
}

function Groups({ groups, label, name, colors }: GroupsProps): JSX.Element {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ul class="groups" aria-label={label}>
        {groups.slice(0, shown).map((group, at) => (
          <li key={at}>
            <GroupText group={group} />
            {keyOf(group.category) !== keyOf(name) && (
              <span class="group-category">
                <span class="swatch" style={{ background: colors.of(group.category) }} /> {labelOf(group.category)}
              </span>
            )}
            <span class="number">{formatDuration(group.duration)}</span>
          </li>
        ))}
      </ul>
      {groups.length > shown && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show more
        </button>
      )}
    </>
  );
}

/** App and title; either may be missing. */
export function GroupText({ group: { app, title } }: { readonly group: Group }): JSX.Element {
  const appText = app === undefined ? undefined : app.trim() === "" ? "(empty)" : shorten(app, 120);
  return (
    <span class="group-text" title={shorten([app, title].filter(Boolean).join("\n"), 1000)}>
      {appText === undefined && title === undefined && <em>(neither app nor title)</em>}
      {appText !== undefined && <strong>{appText}</strong>} {title !== undefined && shorten(title, 300)}
    </span>
  );
}
