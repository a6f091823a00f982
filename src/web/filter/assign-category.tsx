import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { describeFailure } from "../api.js";
import { type CategoryRule, keyOf, labelOf, namesOf } from "../categories.js";
import { createColors } from "../category-colors.js";
import { effectiveCategories } from "../category-state.js";
import { formatDuration } from "../format.js";
import { useLoad } from "../load.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filtered.js";
import { t as shell } from "../texts/shell.js";
import { type Assigned, assign } from "./assign.js";
import { findPlacing, type Placing } from "./placing.js";
import type { Matched, SuggestedRule } from "./rule.js";

const PAUSE_MILLIS = 200;

export interface AssignCategoryProps {
  readonly suggested: SuggestedRule;
  /** Name of the period. */
  readonly period: string;
  /** Requests the time that a rule matches. */
  readonly match: (rule: CategoryRule, signal: AbortSignal) => Promise<Matched>;
  readonly onDone: (done: Assigned, name: readonly string[], seconds: number) => void;
  readonly onClose: () => void;
}

/** Assigns the results of a filter to a category: a click stores the rule. */
export function AssignCategory({ suggested, period, match, onDone, onClose }: AssignCategoryProps): JSX.Element {
  const [regex, setRegex] = useState(suggested.regex ?? "");
  const [ignores, setIgnores] = useState(suggested.ignore_case === true);
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const rule: CategoryRule = { type: "regex", regex, ignore_case: ignores };
  const categories = effectiveCategories.value;
  const colors = createColors(categories);
  const answer = useLoad(JSON.stringify([regex, ignores]), async (signal) => {
    if (regex === "") return [];
    await new Promise((resolve) => setTimeout(resolve, regex === suggested.regex ? 0 : PAUSE_MILLIS));
    signal.throwIfAborted();
    return match(rule, signal);
  });
  // Ignores times of the previous rule.
  const matched = answer.state === "ready" ? answer.value : undefined;
  const placed = (target: readonly string[]): Placing | undefined =>
    matched && findPlacing(matched, categories, target, rule);
  const targets = namesOf(categories).map((target) => ({ target, placing: placed(target) }));
  const levels = levelsOf(name);
  const placingOfNew = levels.length > 0 ? placed(levels) : undefined;
  const placings = [...targets.map(({ placing }) => placing), placingOfNew];

  async function choose(placing: Placing | undefined): Promise<void> {
    if (isBusy || placing?.kind !== "moves") return;
    setBusy(true);
    setError(undefined);
    try {
      onDone(await assign(placing.name, rule), placing.name, placing.seconds);
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  }
  const canChoose = (placing: Placing | undefined): boolean => placing?.kind === "moves" && !isBusy;
  return (
    <Dialog title={t("belongsTo")} onClose={onClose}>
      <Field
        label={t("rule")}
        hint={suggested.regex?.includes("\\d") ? `${t("ruleHint")} ${t("anyNumber")}` : t("ruleHint")}
        error={answer.state === "failed" ? describeFailure(answer.error) : undefined}
      >
        <input
          class="wide"
          value={regex}
          spellcheck={false}
          onInput={({ currentTarget }) => setRegex(currentTarget.value)}
        />
      </Field>
      <label>
        <input type="checkbox" checked={ignores} onChange={({ currentTarget }) => setIgnores(currentTarget.checked)} />
        {common("ignoreCase")}
      </label>
      {error !== undefined && <Failure title={common("unsaved")} error={error} />}
      <p class="quiet belongs-within">{t("within", { period })}</p>
      {placings.some((one) => one?.kind === "moves" && one.isOwn) && <p>{t("ownWhy")}</p>}
      <ul class="belongs" aria-label={shell("categories")} aria-busy={answer.state === "loading"}>
        {targets.map(({ target, placing }) => (
          <li key={keyOf(target)}>
            <button type="button" disabled={!canChoose(placing)} onClick={() => void choose(placing)}>
              <span class="belongs-color" style={{ background: colors.of(target) }} aria-hidden="true" />
              <span class="belongs-name">
                {labelOf(target)} <Own target={target} placing={placing} />
              </span>
              <span class="quiet">{describePlacing(placing)}</span>
            </button>
          </li>
        ))}
      </ul>
      {placings.some((one) => one?.kind === "beaten") && <p class="hint">{t("beatenWhy")}</p>}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void choose(placingOfNew);
        }}
      >
        <input
          aria-label={common("newCategory")}
          placeholder={common("newCategory")}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" disabled={!canChoose(placingOfNew)}>
          {t("make")}
        </button>
        <button type="button" onClick={onClose}>
          {common("cancel")}
        </button>
        {levels.length > 0 && (
          <span role="status">
            {labelOf(levels)} <Own target={levels} placing={placingOfNew} />{" "}
            <span class="quiet">{describePlacing(placingOfNew)}</span>
          </span>
        )}
      </form>
    </Dialog>
  );
}

interface OwnProps {
  readonly target: readonly string[];
  readonly placing: Placing | undefined;
}

/** The additional level for a rule below the selected category. */
function Own({ target, placing }: OwnProps): JSX.Element | null {
  if (placing?.kind !== "moves" || !placing.isOwn) return null;
  return <span class="quiet">{`> ${labelOf(placing.name.slice(target.length))}`}</span>;
}

function describePlacing(placing: Placing | undefined): string {
  if (placing === undefined) return "…";
  switch (placing.kind) {
    case "moves":
      return t("moves", { time: formatDuration(placing.seconds) });
    case "beaten":
      return t("beaten", { name: labelOf(placing.by) });
    default:
      return t(placing.kind);
  }
}

/** Splits `Work > Thesis` into levels. */
function levelsOf(name: string): readonly string[] {
  return name
    .split(">")
    .map((level) => level.trim())
    .filter((level) => level !== "");
}
