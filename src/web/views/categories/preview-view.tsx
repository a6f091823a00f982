import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type CategoryRule, isActive, keyOf, labelOf } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { formatRough, formatShare, shorten } from "../../format.js";
import { t } from "../../texts/categories.js";
import { common } from "../../texts/common.js";
import { type Group, MAX_MATCHING, type Preview } from "./preview.js";
import { PREVIEW_DAYS } from "./use-preview.js";

const STEP = 12;

export interface PreviewViewProps {
  /** `undefined` until this rule has a preview. */
  readonly preview: Preview | undefined;
  readonly name: readonly string[];
  readonly rule: CategoryRule | undefined;
  readonly colors: CategoryColors;
  /** Whether it shows the current rule, the previous one, or the previous one because the current rule is invalid. */
  readonly state: "new" | "old" | "wrong";
}

/** Recent time that a rule would match. */
export function PreviewView({ preview, name, rule, colors, state }: PreviewViewProps): JSX.Element {
  if (preview === undefined) {
    return (
      <section class="preview" aria-label={t("wouldMatch")}>
        <h3>{t("lastDays", { days: PREVIEW_DAYS })}</h3>
        <p class="quiet">{state === "wrong" ? t("notBeforeRight") : t("trying")}</p>
      </section>
    );
  }
  const { matching, matchingSeconds, others, seconds } = preview;
  const taken = matching.filter(({ category }) => keyOf(category) !== keyOf(name));
  const sum = {
    count: matching.length,
    time: <strong>{formatRough(matchingSeconds)}</strong>,
    share: formatShare(matchingSeconds, seconds),
  };
  return (
    <section class="preview" aria-busy={state === "old"} aria-label={t("wouldMatch")}>
      <h3>{t(state === "wrong" ? "lastDaysBefore" : "lastDays", { days: PREVIEW_DAYS })}</h3>
      {rule === undefined || !isActive(rule) ? (
        <p class="quiet">{t("withoutRule")}</p>
      ) : (
        <>
          <p role="status" class="preview-sum">
            {t.rich(matching.length >= MAX_MATCHING ? "matchesMore" : "matches", sum)}
            {taken.length > 0 && ` ${t("matchesElsewhere", { count: taken.length })}`}
          </p>
          <Groups groups={matching} label={t("matching")} name={name} colors={colors} />
        </>
      )}
      <details>
        <summary>{t("longestOthers")}</summary>
        <Groups groups={others} label={t("others")} name={name} colors={colors} />
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
                <span class="swatch" style={{ background: colors.of(group.category) }} />{" "}
                <bdi>{labelOf(group.category)}</bdi>
              </span>
            )}
            <span class="number">{formatRough(group.duration)}</span>
          </li>
        ))}
      </ul>
      {groups.length > shown && (
        <button type="button" onClick={() => setShown(shown * 4)}>
          {common("more")}
        </button>
      )}
    </>
  );
}

/** App and title; either may be missing. */
export function GroupText({ group: { app, title } }: { readonly group: Group }): JSX.Element {
  const appText = app === undefined ? undefined : app.trim() === "" ? common("empty") : shorten(app, 120);
  return (
    <span class="group-text" title={shorten([app, title].filter(Boolean).join("\n"), 1000)}>
      {appText === undefined && title === undefined && <em>{t("neither")}</em>}
      {appText !== undefined && (
        <strong>
          <bdi>{appText}</bdi>
        </strong>
      )}{" "}
      {title !== undefined && <bdi>{shorten(title, 300)}</bdi>}
    </span>
  );
}
