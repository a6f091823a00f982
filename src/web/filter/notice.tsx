import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Done, Notice as Told } from "../parts/notice.js";
import { route } from "../router.js";
import { t } from "../texts/notice.js";

/** The last action. Stays until it is closed, or until navigation if it cannot be undone. */
export const lastAction: Signal<Done | undefined> = signal(undefined);

/** Shows the last action in every view. */
export function Notice(): JSX.Element {
  const done = lastAction.value;
  useEffect(() => {
    if (lastAction.peek()?.undo === undefined) lastAction.value = undefined;
  }, [route.value.path.join("/")]);
  async function undo(): Promise<void> {
    await done?.undo?.();
    lastAction.value = { say: () => t("undone") };
  }
  return (
    <div class="filter-notice">
      <Told done={done && { ...done, undo: done.undo && undo }} onClose={() => (lastAction.value = undefined)} />
    </div>
  );
}
