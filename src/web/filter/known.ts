import { type Signal, signal } from "@preact/signals";

/** Conditions of the rows that the view shows, for the search box. */
export const shownHandles: Signal<readonly string[]> = signal([]);

/** Tells which rows are shown. */
export function noteHandles(handles: readonly (string | undefined)[]): void {
  const given = [...new Set(handles.flatMap((handle) => handle ?? []))];
  if (JSON.stringify(given) !== JSON.stringify(shownHandles.peek())) shownHandles.value = given;
}
