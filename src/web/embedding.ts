// Appearance of the dashboard in an embedding app: the option `dashboard` of createActivityServer.
import type { Language } from "./texts/language.js";

interface Embedding {
  readonly title?: string;
  readonly back?: { readonly href: string; readonly label: string };
  readonly hiddenViews?: readonly string[];
  readonly language?: Language;
}

function read(): Embedding {
  // Tests run without a browser.
  if (typeof document === "undefined") return {};
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="dashboard"]')?.content ?? "{}");
}

const { title, back, hiddenViews, language } = read();

/** The name of the dashboard. */
export const TITLE: string = title ?? "activity-server";

/** A link to the app, if there is one. */
export const BACK: Embedding["back"] = back;

/** The language until the user chooses one, if it is set. */
export const LANGUAGE: Language | undefined = language;

/** Whether the navigation does not show a view. */
export function isHidden(view: string): boolean {
  return hiddenViews?.some((hidden) => hidden === view) ?? false;
}
