import type { JSX } from "preact";
import { notifyState, turnOff, turnOn } from "../../limits/notify.js";
import { t } from "../../texts/goals.js";
import { GoalForm } from "./goal-form.js";

/** The goal for all active time, and the notification setting. */
export function GoalsCard(): JSX.Element {
  return (
    <section class="card">
      <h2>{t("title")}</h2>
      <p class="quiet">{t("hint")}</p>
      <GoalForm category={[]} />
      <Notifying />
    </section>
  );
}

function Notifying(): JSX.Element {
  switch (notifyState.value) {
    case "unsupported":
      return <p class="quiet">{t("unsupported")}</p>;
    case "blocked":
      return <p class="quiet">{t("blocked")}</p>;
    case "on":
      return (
        <p class="row">
          <span>{t("on")}</span>
          <button type="button" onClick={turnOff}>
            {t("turnOff")}
          </button>
        </p>
      );
    default:
      return (
        <button type="button" onClick={() => void turnOn()}>
          {t("turnOn")}
        </button>
      );
  }
}
