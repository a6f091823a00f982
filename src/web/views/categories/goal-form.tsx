import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { GOALS_KEY, type Goal, goalOf, printGoals, withGoal } from "../../goals.js";
import { goals } from "../../goals-state.js";
import { Field } from "../../parts/field.js";
import { SavingNote, useSaving } from "../../parts/saving.js";
import { saveSetting } from "../../settings.js";
import { t } from "../../texts/goals.js";

const HOUR = 3600;
/** Of a day and of a week, in hours. */
const MOST = { day: 24, week: 168 } as const;

export interface GoalFormProps {
  /** `[]` = all active time. */
  readonly category: readonly string[];
}

/** A goal and a limit, stored as soon as a field is left. */
export function GoalForm({ category }: GoalFormProps): JSX.Element {
  const saving = useSaving();
  const isOutOfRange = useSignal(false);
  const given: Goal = goalOf(goals.value, category) ?? { category, per: "day" };

  function save(next: Goal): void {
    isOutOfRange.value = false;
    void saving.save(() => saveSetting(GOALS_KEY, printGoals(withGoal(goals.value, next))));
  }

  function saveHours(name: "goal" | "limit", text: string): void {
    const { [name]: _before, ...rest } = given;
    const hours = Number(text);
    isOutOfRange.value = Number.isNaN(hours) || hours < 0 || hours > MOST[given.per];
    if (!isOutOfRange.value) save(hours === 0 ? rest : { ...rest, [name]: Math.round(hours * HOUR) });
  }

  const field = (name: "goal" | "limit", label: string): JSX.Element => (
    <Field label={label}>
      <input
        class="short"
        type="number"
        min="0"
        max={MOST[given.per]}
        step="0.25"
        value={given[name] === undefined ? "" : Math.round(((given[name] ?? 0) / HOUR) * 100) / 100}
        onChange={({ currentTarget }) => saveHours(name, currentTarget.value)}
      />
    </Field>
  );
  const error = isOutOfRange.value ? t("outOfRange", { most: MOST[given.per] }) : saving.error;
  return (
    <div class="goal-form">
      <div class="row">
        {field("goal", t("goal"))}
        {field("limit", t("limit"))}
        <Field label={t("per")}>
          <select
            value={given.per}
            disabled={given.goal === undefined && given.limit === undefined}
            onChange={({ currentTarget }) => save({ ...given, per: currentTarget.value === "week" ? "week" : "day" })}
          >
            <option value="day">{t("day")}</option>
            <option value="week">{t("week")}</option>
          </select>
        </Field>
        {!isOutOfRange.value && <SavingNote text={saving.note} />}
      </div>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
