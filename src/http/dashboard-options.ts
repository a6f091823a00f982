import { escapeHtml } from "./readable.js";

/** Views of the dashboard that can be hidden; `api` is the link to the API browser. */
export const DASHBOARD_VIEWS = [
  "timeline",
  "timesheet",
  "overview",
  "stopwatch",
  "categories",
  "buckets",
  "devices",
  "privacy",
  "retention",
  "trash",
  "storage",
  "query",
  "settings",
  "access",
  "api",
] as const;

/** A view of the dashboard that can be hidden. */
export type DashboardView = (typeof DASHBOARD_VIEWS)[number];

const LANGUAGES = ["en", "de", "he"] as const;

/** How the dashboard looks in your app. */
export interface DashboardOptions {
  /** Name in its header and in titles of windows. @default "activity-server" */
  readonly title?: string | undefined;
  /** A link at the beginning of its header, back to your app. @default none */
  readonly back?: { readonly href: string; readonly label: string } | undefined;
  /** Views that its navigation does not show. Links in other views still open them. @default none */
  readonly hiddenViews?: readonly DashboardView[] | undefined;
  /** Language until the user chooses one in the settings. @default the browser's */
  readonly language?: (typeof LANGUAGES)[number] | undefined;
  /**
   * Sites that may show the dashboard and the API browser in a frame: `self`, origins such as `https://app.example`, or
   * `*`.
   * @default none
   */
  readonly frameAncestors?: readonly string[] | undefined;
}

const ANCESTOR = /^(?:self|\*|https?:\/\/(?:\*\.)?(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])(?::(?:\d+|\*))?)$/i;

const CHECKS: { readonly [Name in keyof Required<DashboardOptions>]: (value: unknown) => string | undefined } = {
  title: (value) => (isText(value) ? undefined : "a string"),
  back: (value) => (isLink(value) ? undefined : "{ href, label } with a path or a URL"),
  hiddenViews: (value) =>
    isListOf(value, isOneOf(DASHBOARD_VIEWS)) ? undefined : `a list of ${listed(DASHBOARD_VIEWS)}`,
  language: (value) => (isOneOf(LANGUAGES)(value) ? undefined : listed(LANGUAGES)),
  frameAncestors: (value) =>
    isListOf(value, (item) => typeof item === "string" && ANCESTOR.test(item))
      ? undefined
      : 'a list of origins, "self" or "*"',
};

/** @throws TypeError for options that cannot work */
export function checkDashboardOptions(options: DashboardOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof DashboardOptions] : undefined;
    if (check === undefined) {
      throw new TypeError(`dashboard.${name} is not an option; the options are ${Object.keys(CHECKS).join(", ")}`);
    }
    const wanted = value === undefined ? undefined : check(value);
    if (wanted !== undefined) throw new TypeError(`dashboard.${name} must be ${wanted}, got ${JSON.stringify(value)}`);
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isLink(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { href, label } = value as Readonly<Record<string, unknown>>;
  if (!isText(label) || typeof href !== "string" || !URL.canParse(href, "http://localhost")) return false;
  return /^https?:$/.test(new URL(href, "http://localhost").protocol);
}

function isOneOf(names: readonly string[]): (value: unknown) => boolean {
  return (value) => names.includes(value as string);
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(fits);
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}

/** The options for the page, as an element of its head; "" if there are none. */
export function dashboardHead({ frameAncestors: _, ...shown }: DashboardOptions): string {
  const content = JSON.stringify(shown);
  return content === "{}" ? "" : `<meta name="dashboard" content="${escapeHtml(content)}">\n`;
}
