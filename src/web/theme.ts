// Colours for what is painted by script: canvases do not follow style sheets by themselves.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { theme } from "./settings.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = signal(dark.matches);
dark.addEventListener("change", () => {
  isDark.value = dark.matches;
});

/** What the page looks like: read it where colours are painted, so that they are painted anew when it changes. */
export const scheme: ReadonlySignal<"light" | "dark"> = computed(() => {
  if (theme.value !== "auto") return theme.value;
  return isDark.value ? "dark" : "light";
});

/** The present value of a variable of the style sheet, such as `--ink`. */
export function colorOf(variable: `--${string}`): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
