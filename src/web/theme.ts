// Colors for canvases, which do not follow style sheets automatically.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { theme } from "./settings.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = signal(dark.matches);
dark.addEventListener("change", () => {
  isDark.value = dark.matches;
});

/** The color scheme. Read it when painting, so that a change triggers a repaint. */
export const scheme: ReadonlySignal<"light" | "dark"> = computed(() => {
  if (theme.value !== "auto") return theme.value;
  return isDark.value ? "dark" : "light";
});

/** The current value of a CSS variable, such as `--ink`. */
export function colorOf(variable: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
