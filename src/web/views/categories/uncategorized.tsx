import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { JsonValue } from "../../../domain/json.js";
import { type Category, keyOf, labelOf, namesOf, UNCATEGORIZED } from "../../categories.js";
import { Described } from "../../filter/condition-rows.js";
import { type Condition, printConditions } from "../../filter/conditions.js";
import { formatRough, formatShare, shorten } from "../../format.js";
import { shownValue, useLoad } from "../../load.js";
import { Field } from "../../parts/field.js";
import { settings } from "../../settings.js";
import { t as activity } from "../../texts/activity.js";
import { t } from "../../texts/categories.js";
import { common } from "../../texts/common.js";
import { addedInFront, changed, extended, freeName } from "./edits.js";
import { loadSites } from "./sites.js";
import type { PreviewOf } from "./use-preview.js";
import { appCandidates, type Candidate, wordCandidates } from "./words.js";

export interface UncategorizedProps {
  /** The last one: while a rule is typed, its sites stay. */
  readonly preview: PreviewOf;
  readonly categories: readonly Category[];
  /** The edited category, which is the default for new rules. */
  readonly selected: readonly string[] | undefined;
  readonly onChange: (categories: readonly Category[], name: readonly string[]) => void;
}

const STEP = 10;

/** Uncategorized time by word, site and app, each with a button to create a rule. */
export function Uncategorized(props: UncategorizedProps): JSX.Element {
  const { preview, categories, selected, onChange } = props;
  const [chosen, setChosen] = useState<readonly string[] | "new" | undefined>();
  const [newName, setNewName] = useState("");
  const names = namesOf(categories);
  const isThere = (name: readonly string[]) => names.some((candidate) => keyOf(candidate) === keyOf(name));
  const target = chosen !== undefined && chosen !== "new" && !isThere(chosen) ? undefined : chosen;
  const to = target ?? selected ?? "new";
  const { uncategorizedApps: apps, uncategorizedTitles: titles, seconds } = preview;
  const uncategorized = preview.totals.get(keyOf([UNCATEGORIZED])) ?? 0;
  const sites = useLoad(JSON.stringify([preview.recent, uncategorized]), (signal) => loadSites(preview, signal));

  const ignored = settings.value["category_builder_ignored_words"];
  const words = useMemo(() => wordCandidates(titles, readWords(ignored)), [titles, ignored]);

  function add(condition: Condition): void {
    const pattern = printConditions([condition]);
    const name = to === "new" ? freeName(categories, [], newName.trim() || common("newCategory")) : to;
    const index = categories.findIndex((category) => keyOf(category.name) === keyOf(name));
    const before = categories[index];
    if (before === undefined) {
      onChange(addedInFront(categories, name, { type: "regex", regex: pattern, ignore_case: false }), name);
    } else onChange(changed(categories, index, { rule: extended(before.rule, pattern) }), name);
    if (to !== "new") return;
    setChosen(name);
    setNewName("");
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
              time: formatRough(uncategorized),
              share: formatShare(uncategorized, seconds),
            })}
          </p>
          <div class="row">
            <Field label={t("rulesGoTo")} hint={to === "new" ? t("toNewHint") : t("toOldHint")}>
              <select
                value={to === "new" ? "new" : keyOf(to)}
                onChange={({ currentTarget }) =>
                  setChosen(names.find((name) => keyOf(name) === currentTarget.value) ?? "new")
                }
              >
                <option value="new">{common("newCategory")}</option>
                {names.map((name) => (
                  <option key={keyOf(name)} value={keyOf(name)}>
                    {shorten(labelOf(name), 60)}
                  </option>
                ))}
              </select>
            </Field>
            {to === "new" && (
              <Field label={common("newCategory")}>
                <input
                  maxLength={200}
                  value={newName}
                  onInput={({ currentTarget }) => setNewName(currentTarget.value)}
                />
              </Field>
            )}
          </div>
          <div class="uncategorized-lists">
            <List title={t("words")} candidates={words} onAdd={add} />
            <List title={activity("sites")} candidates={shownValue(sites) ?? []} onAdd={add} />
            <List title={common("apps")} candidates={appCandidates(apps)} onAdd={add} />
          </div>
        </>
      )}
    </section>
  );
}

/** The words that the category builder of ActivityWatch's web UI ignores. */
function readWords(words: JsonValue | undefined): readonly string[] {
  return Array.isArray(words) ? words.filter((word) => typeof word === "string") : [];
}

interface ListProps {
  readonly title: string;
  readonly candidates: readonly Candidate[];
  readonly onAdd: (condition: Condition) => void;
}

function List({ title, candidates, onAdd }: ListProps): JSX.Element | null {
  const [shown, setShown] = useState(STEP);
  if (candidates.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="groups">
        {candidates.slice(0, shown).map(({ label, condition, seconds }) => (
          <li key={label}>
            <span class="group-text" title={shorten(label, 1000)}>
              <bdi>{shorten(label, 120)}</bdi>{" "}
              {label !== condition.text && (
                <span class="quiet">
                  <Described condition={condition} />
                </span>
              )}
            </span>
            <span class="number">{formatRough(seconds)}</span>
            <button
              type="button"
              aria-label={t("addRuleFor", { text: shorten(label, 100) })}
              onClick={() => onAdd(condition)}
            >
              {t("addRule")}
            </button>
          </li>
        ))}
      </ul>
      {candidates.length > shown && (
        <button type="button" onClick={() => setShown(shown + 30)}>
          {common("more")}
        </button>
      )}
    </div>
  );
}
