import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { GOALS_KEY, type Goal, goalsOf, printGoals, withGoal } from "../../goals.js";
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
  /** The hours that there may be, where somebody wanted more. */
  const exceeded = useSignal<number | undefined>(undefined);

  async function save(goal: Goal): Promise<void> {
    const most = MOST[goal.per];
    const isFit = goal.seconds >= 0 && goal.seconds <= most * HOUR;
    exceeded.value = isFit ? undefined : most;
    if (isFit) await saving.save(() => saveSetting(GOALS_KEY, printGoals(withGoal(goals.value, goal))));
  }

  const error = exceeded.value === undefined ? saving.error : t("outOfRange", { most: exceeded.value });
  return (
    <div class="goal-form">
      {(["goal", "limit"] as const).map((kind) => (
        <GoalFields key={kind} {...{ category, kind }} save={(goal) => void save(goal)} />
      ))}
      {exceeded.value === undefined && <SavingNote text={saving.note} />}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface GoalFieldsProps extends Pick<Goal, "category" | "kind"> {
  readonly save: (goal: Goal) => void;
}

function GoalFields({ category, kind, save }: GoalFieldsProps): JSX.Element {
  const given = goalsOf(goals.value, category).find((goal) => goal.kind === kind);
  /** As long as there are no hours for it. */
  const chosen = useSignal<Goal["per"]>("day");
  const { seconds, per } = given ?? { seconds: 0, per: chosen.value };

  function choose(next: Goal["per"]): void {
    chosen.value = next;
    if (given !== undefined) save({ ...given, per: next });
  }
  return (
    <div class="row">
      <Field label={t(kind)}>
        <input
          class="short"
          type="number"
          min="0"
          max={MOST[per]}
          step="0.25"
          // What is being typed stays when something else has been saved.
          defaultValue={seconds === 0 ? "" : String(Math.round((seconds / HOUR) * 100) / 100)}
          onChange={({ currentTarget }) =>
            save({ category, kind, seconds: Math.round(Number(currentTarget.value) * HOUR), per })
          }
        />
      </Field>
      <Field label={t(`${kind}Per`)}>
        <select value={per} onChange={({ currentTarget }) => choose(currentTarget.value === "week" ? "week" : "day")}>
          <option value="day">{t("day")}</option>
          <option value="week">{t("week")}</option>
        </select>
      </Field>
    </div>
  );
}
