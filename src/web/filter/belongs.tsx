import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { messageOfFailure } from "../api.js";
import { type CategoryRule, keyOf, labelOf, namesOf } from "../categories.js";
import { createColors } from "../category-colors.js";
import { effectiveCategories } from "../category-state.js";
import { formatDuration } from "../format.js";
import { shownOf, useLoad } from "../load.js";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { common } from "../texts/common.js";
import { t } from "../texts/filtered.js";
import { type Assigned, assign } from "./assign.js";
import { type Matched, movedSeconds } from "./rule.js";

const PAUSE_MILLIS = 200;

export interface BelongsProps {
  readonly suggested: CategoryRule;
  /** Name of the period that times are of. */
  readonly period: string;
  /** Asks for the time that a rule matches. */
  readonly match: (rule: CategoryRule, signal: AbortSignal) => Promise<Matched>;
  readonly onDone: (done: Assigned, name: readonly string[], seconds: number) => void;
  readonly onClose: () => void;
}

/** Lets what a filter finds belong to a category: a click on it stores the rule. */
export function Belongs({ suggested, period, match, onDone, onClose }: BelongsProps): JSX.Element {
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
  const matched = shownOf(answer);
  const moved = (target: readonly string[]): number | undefined => matched && movedSeconds(matched, categories, target);

  async function choose(target: readonly string[]): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      onDone(await assign(target, rule), target, moved(target) ?? 0);
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  }
  const isReady = regex !== "" && !isBusy && answer.state !== "failed";
  return (
    <Dialog title={t("belongsTo")} onClose={onClose}>
      <Field
        label={t("rule")}
        hint={t("ruleHint")}
        error={answer.state === "failed" ? messageOfFailure(answer.error) : undefined}
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
        {t("ignoreCase")}
      </label>
      {error !== undefined && <Failure title={t("notStored")} error={error} />}
      <p class="quiet belongs-within">{t("within", { period })}</p>
      <ul class="belongs" aria-label={t("categories")} aria-busy={answer.state === "loading"}>
        {namesOf(categories).map((target) => (
          <li key={keyOf(target)}>
            <button type="button" disabled={!isReady} onClick={() => void choose(target)}>
              <span class="belongs-color" style={{ background: colors.of(target) }} aria-hidden="true" />
              <span class="belongs-name">{labelOf(target)}</span>
              <span class="quiet">{toldOf(moved(target))}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && name.trim() !== "") void choose(levelsOf(name));
        }}
      >
        <input
          aria-label={t("newName")}
          placeholder={t("newName")}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" disabled={!isReady || name.trim() === ""}>
          {t("make")}
        </button>
        <button type="button" onClick={onClose}>
          {common("cancel")}
        </button>
      </form>
    </Dialog>
  );
}

function toldOf(seconds: number | undefined): string {
  if (seconds === undefined) return "…";
  return seconds > 0 ? t("moves", { time: formatDuration(seconds) }) : t("movesNothing");
}

/** `Work > Thesis` as levels. */
function levelsOf(name: string): readonly string[] {
  return name
    .split(">")
    .map((level) => level.trim())
    .filter((level) => level !== "");
}
