import type { TimelineModel } from "./model.js";
import { panned } from "./scale.js";

/** Key actions that depend on the drawing. */
export interface KeyTargets {
  /** Moves down by a number of lanes. */
  step(by: number): void;
  /** Selects the lane's event nearest to the middle. */
  pinMiddle(): void;
}

/** Runs the action of a key. @returns whether it has one */
export function press(key: string, isFast: boolean, model: TimelineModel, targets: KeyTargets): boolean {
  const window = model.window.peek();
  const length = window.end - window.start;
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight":
      model.move(panned(window, (key === "ArrowLeft" ? -1 : 1) * length * (isFast ? 0.5 : 0.1)));
      return true;
    case "PageUp":
    case "PageDown":
      model.move(panned(window, (key === "PageUp" ? -1 : 1) * length));
      return true;
    case "+":
    case "=":
      model.resize(length * 0.5);
      return true;
    case "-":
    case "_":
      model.resize(length * 2);
      return true;
    case "Home":
    case "End":
      model.goTo(key === "Home" ? "first" : "last");
      return true;
    case "ArrowUp":
    case "ArrowDown":
      targets.step(key === "ArrowUp" ? -1 : 1);
      return true;
    case "Enter":
      targets.pinMiddle();
      return true;
    case "Escape":
      model.pin(undefined);
      return true;
    default:
      return false;
  }
}
