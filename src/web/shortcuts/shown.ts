// Whether the list of keyboard shortcuts is open, and the key that opens it.
import { type Signal, signal } from "@preact/signals";

export const areShortcutsShown: Signal<boolean> = signal(false);

/** Shows the shortcuts when `?` is pressed outside of inputs and dialogs. */
export function listenForHelp(): void {
  addEventListener("keydown", ({ key, target, defaultPrevented, ctrlKey, metaKey, altKey }) => {
    if (key !== "?" || defaultPrevented || ctrlKey || metaKey || altKey) return;
    const isElsewhere = target instanceof Element && target.closest("input, select, textarea, dialog") !== null;
    if (!isElsewhere && document.querySelector("dialog[open]") === null) areShortcutsShown.value = true;
  });
}
