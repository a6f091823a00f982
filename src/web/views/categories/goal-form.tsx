import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type Goal, readGoals } from "../../../domain/goals.js";
import { GOALS_KEY, goalsOf, printGoals, setGoal } from "../../goals.js";
import { goals } from "../../goals-state.js";
import { Field, FieldError } from "../../parts/field.js";
import { SavingNote, useSaving } from "../../parts/saving.js";
import { saveSetting } from "../../settings.js";
import { t } from "../../texts/goals.js";
import { t as periods } from "../../texts/period.js";

const HOUR = 3600;
/** Hours per day and week. */
const MOST = { day: 24, week: 168 } as const;

export interface GoalFormProps {
  /** `[]` = all active time. */
  readonly category: readonly string[];
}

/** Edits a goal and a limit; saves when a field loses the focus. */
export function GoalForm({ category }: GoalFormProps): JSX.Element {
  return (
    <div class="goal-form">
      <GoalFields category={category} kind="goal" />
      <GoalFields category={category} kind="limit" />
    </div>
  );
}

function GoalFields({ category, kind }: Pick<Goal, "category" | "kind">): JSX.Element {
  const saving = useSaving();
  /** Field values after an edit, stored or not. */
  const entered = useSignal<Goal | undefined>(undefined);
  const given = goalsOf(goals.value, category).find((goal) => goal.kind === kind);
  const shown = entered.value ?? given ?? { category, kind, seconds: 0, per: "day" };
  const { seconds, per } = shown;
  const isFit = fits(shown);

  function save(goal: Goal): void {
    entered.value = goal;
    if (!fits(goal)) return;
    void saving.save(() => saveSetting(GOALS_KEY, (value) => printGoals(setGoal(readGoals(value), goal))));
  }
  function choose(next: Goal["per"]): void {
    const goal = { ...shown, per: next };
    // Nothing to store yet.
    if (seconds === 0) entered.value = goal;
    else save(goal);
  }
  return (
    <>
      <div class="row">
        <Field label={t(kind)}>
          <input
            class="short"
            type="number"
            min="0"
            max={MOST[per]}
            step="0.25"
            // Uncontrolled, so that saving another field does not reset the input.
            defaultValue={seconds === 0 ? "" : String(Math.round((seconds / HOUR) * 100) / 100)}
            onChange={({ currentTarget: { value, validity } }) =>
              save({ ...shown, seconds: validity.badInput ? Number.NaN : Math.round(Number(value) * HOUR) })
            }
          />
        </Field>
        <Field label={t(`${kind}Per`)}>
          <select value={per} onChange={({ currentTarget }) => choose(currentTarget.value === "week" ? "week" : "day")}>
            <option value="day">{periods("day")}</option>
            <option value="week">{periods("week")}</option>
          </select>
        </Field>
        {isFit && <SavingNote text={saving.note} />}
      </div>
      <FieldError text={isFit ? saving.error : t("outOfRange", { most: MOST[per] })} />
    </>
  );
}

function fits({ seconds, per }: Goal): boolean {
  return seconds >= 0 && seconds <= MOST[per] * HOUR;
}
