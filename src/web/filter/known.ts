import { type Signal, signal } from "@preact/signals";

/** Conditions of the view's rows, for the search box. */
export const shownHandles: Signal<readonly string[]> = signal([]);

/** Sets the conditions of the displayed rows. */
export function noteHandles(handles: readonly (string | undefined)[]): void {
  const given = [...new Set(handles.flatMap((handle) => handle ?? []))];
  if (JSON.stringify(given) !== JSON.stringify(shownHandles.peek())) shownHandles.value = given;
}
