import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Done, Notice as Told } from "../parts/notice.js";
import { route } from "../router.js";
import { t } from "../texts/notice.js";

/** What was done last; it stays until it is closed, or cannot be undone and another place is shown. */
export const deed: Signal<Done | undefined> = signal(undefined);

/** Says what was done, in every view. */
export function Notice(): JSX.Element {
  const done = deed.value;
  useEffect(() => {
    if (deed.peek()?.undo === undefined) deed.value = undefined;
  }, [route.value.path.join("/")]);
  async function takeBack(): Promise<void> {
    await done?.undo?.();
    deed.value = { say: () => t("undone") };
  }
  return (
    <div class="filter-notice">
      <Told done={done && { ...done, undo: done.undo && takeBack }} onClose={() => (deed.value = undefined)} />
    </div>
  );
}
