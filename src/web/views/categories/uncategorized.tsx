import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Category, keyOf, labelOf, namesOf, UNCATEGORIZED } from "../../categories.js";
import { patternOfTitle } from "../../filter/rule.js";
import { formatDuration, formatShare, shorten } from "../../format.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/categories.js";
import { common } from "../../texts/common.js";
import { addedInFront, changed, createExactPattern, extended, freeName } from "./edits.js";
import type { Group, Preview } from "./preview.js";
import { GroupText } from "./preview-view.js";

export interface UncategorizedProps {
  readonly preview: Preview;
  readonly categories: readonly Category[];
  /** The edited category, which is the default for new rules. */
  readonly selected: readonly string[] | undefined;
  readonly onChange: (categories: readonly Category[], name: readonly string[]) => void;
}

const STEP = 10;

/** The longest uncategorized groups, each with a button to create a rule. */
export function Uncategorized({ preview, categories, selected, onChange }: UncategorizedProps): JSX.Element {
  const [chosen, setChosen] = useState<readonly string[] | "new" | undefined>();
  const names = namesOf(categories);
  const isThere = (name: readonly string[]) => names.some((candidate) => keyOf(candidate) === keyOf(name));
  const target = chosen !== undefined && chosen !== "new" && !isThere(chosen) ? undefined : chosen;
  const to = target ?? selected ?? "new";
  const { uncategorizedApps: apps, uncategorizedTitles: titles, seconds } = preview;
  const uncategorized = preview.totals.get(keyOf([UNCATEGORIZED])) ?? 0;

  function add(text: string, isTitle: boolean): void {
    const pattern = isTitle ? patternOfTitle(text) : createExactPattern(text);
    const rule = { type: "regex", regex: pattern, ignore_case: false } as const;
    const name = to === "new" ? freeName(categories, [], shorten(text.trim(), 60)) : to;
    const index = treeIndex(categories, name);
    const before = index === undefined ? undefined : categories[index];
    if (index === undefined || before === undefined) onChange(addedInFront(categories, name, rule), name);
    else onChange(changed(categories, index, { rule: extended(before.rule, pattern) }), name);
  }
  return (
    <section class="card uncategorized" aria-labelledby="uncategorized">
      <h2 id="uncategorized">{t("uncategorized")}</h2>
      {apps.length === 0 ? (
        <p class="quiet">{t("allCategorized")}</p>
      ) : (
        <>
          <p class="quiet">
            {t("uncategorizedHint", {
              time: formatDuration(uncategorized),
              share: formatShare(uncategorized, seconds),
            })}
          </p>
          <Field label={t("rulesGoTo")} hint={to === "new" ? t("toNewHint") : t("toOldHint")}>
            <select
              value={to === "new" ? "new" : keyOf(to)}
              onChange={({ currentTarget }) =>
                setChosen(names.find((name) => keyOf(name) === currentTarget.value) ?? "new")
              }
            >
              <option value="new">{t("toNew")}</option>
              {names.map((name) => (
                <option key={keyOf(name)} value={keyOf(name)}>
                  {shorten(labelOf(name), 60)}
                </option>
              ))}
            </select>
          </Field>
          <div class="uncategorized-lists">
            <List title={common("apps")} groups={apps} textOf={({ app }) => app} onAdd={(text) => add(text, false)} />
            <List
              title={common("titles")}
              groups={titles}
              textOf={({ title }) => title}
              onAdd={(text) => add(text, true)}
            />
          </div>
        </>
      )}
    </section>
  );
}

interface ListProps {
  readonly title: string;
  readonly groups: readonly Group[];
  readonly textOf: (group: Group) => string | undefined;
  readonly onAdd: (text: string) => void;
}

function List({ title, groups, textOf, onAdd }: ListProps): JSX.Element {
  const [shown, setShown] = useState(STEP);
  return (
    <div>
      <h3>{title}</h3>
      <ul class="groups">
        {groups.slice(0, shown).map((group, at) => {
          const text = textOf(group);
          return (
            <li key={at}>
              <GroupText group={group} />
              <span class="number">{formatDuration(group.duration)}</span>
              {text !== undefined && text.trim() !== "" && text.length <= MAX_TEXT ? (
                <button
                  type="button"
                  aria-label={t("addRuleFor", { text: shorten(text, 100) })}
                  onClick={() => onAdd(text)}
                >
                  {t("addRule")}
                </button>
              ) : (
                <span />
              )}
            </li>
          );
        })}
      </ul>
      {groups.length > shown && (
        <button type="button" onClick={() => setShown(shown + 30)}>
          {common("more")}
        </button>
      )}
    </div>
  );
}

/** Maximum length of a rule's text, to leave space for others in the expression. */
const MAX_TEXT = 1000;

function treeIndex(categories: readonly Category[], name: readonly string[]): number | undefined {
  const index = categories.findIndex((category) => keyOf(category.name) === keyOf(name));
  return index < 0 ? undefined : index;
}
