import type { JSX } from "preact";
import { notifyState, turnOff, turnOn } from "../../limits/notify.js";
import { GoalForm } from "./goal-form.js";

/** The goal of all active time, and whether this browser tells when a limit is passed. */
export function GoalsCard(): JSX.Element {
  return (
    <section class="card">
      <h2>Goals and limits</h2>
      <p class="quiet">For all active time here; those of a category stand below its rule. They are saved at once.</p>
      <GoalForm category={[]} />
      <Notifying />
    </section>
  );
}

function Notifying(): JSX.Element {
  switch (notifyState.value) {
    case "unsupported":
      return <p class="quiet">This browser cannot tell you when a limit is passed.</p>;
    case "blocked":
      return <p class="quiet">Notifications of this page are blocked in the settings of the browser.</p>;
    case "on":
      return (
        <p class="row">
          <span>This browser tells you when a limit is passed, while the dashboard is open.</span>
          <button type="button" onClick={turnOff}>
            Stop
          </button>
        </p>
      );
    default:
      return (
        <button type="button" onClick={() => void turnOn()}>
          Tell me when a limit is passed
        </button>
      );
  }
}
