import { FIRST_DAY, MICROS_PER_DAY } from "./data.js";
import { QUERY_DAYS } from "./month.js";

export const QUERY_PATH = "/api/0/query/";
export const WINDOW_BUCKET = "aw-watcher-window_bench";
export const IDLE_BUCKET = "aw-watcher-afk_bench";
export const BROWSER_BUCKET = "aw-watcher-web-firefox_bench";

const none = { type: "none" };
const regex = (pattern: string): object => ({ type: "regex", regex: pattern });
const anyCase = (pattern: string): object => ({ type: "regex", regex: pattern, ignore_case: true });

/** 30 categories with 28 patterns, of the kinds that people write. */
const RULES: readonly (readonly [name: readonly string[], rule: object])[] = [
  [["Work"], anyCase("libreoffice|invoice|budget")],
  [["Work", "Programming"], regex("Code|Terminal|GitHub|Stack Overflow")],
  [["Work", "Programming", "Server"], anyCase("activity-server|localhost:\\d+")],
  [["Work", "Programming", "Storage"], regex("\\bstorage layout\\b")],
  [["Work", "Programming", "Reviews"], anyCase("pull request|code review|/pull/[0-9]+")],
  [["Work", "Programming", "Web"], regex("\\.(ts|js|json)\\b")],
  [["Work", "Docs"], regex("Google Docs|README|docs/")],
  [["Work", "Operations"], regex("ssh (prod|stage)|htop")],
  [["Work", "Planning"], anyCase("weekly plan|sprint \\d+|offsite")],
  [["Work", "Notes"], regex("^notes \\d+")],
  [["Talk"], none],
  [["Talk", "Mail"], regex("Mail|Inbox \\(\\d+ unread\\)")],
  [["Talk", "Chat"], { ...regex("Slack|Signal|WhatsApp"), select_keys: ["app"] }],
  [["Talk", "Meetings"], { ...regex("^Zoom$|Teams|Meet"), select_keys: ["app", "title"] }],
  [["Talk", "General"], regex("#general")],
  [["Media"], none],
  [["Media", "Music"], anyCase("spotify|björk|nina simone")],
  [["Media", "Video"], regex("YouTube|VLC|mpv")],
  [["Media", "Games"], regex("Steam|FPS:")],
  [["Media", "Social"], anyCase("reddit|mastodon")],
  [["Media", "News"], regex(" News|news[.]example")],
  [["Home", "Languages"], regex("日本語|漢字")],
  [["Home", "Travel"], regex("Zürich|Flight [A-Z]{2} \\d{3}")],
  [["Home", "Cooking"], regex("Recipe|crème")],
  [["Home", "Sizes"], anyCase("größen\\w+")],
  [["System", "Files"], regex("Files|Nautilus")],
  [["System", "Unknown"], { ...regex("^unknown$"), select_keys: ["app"] }],
  [["Image"], regex("Gimp|Inkscape")],
  [["Odd", "Quotes"], regex('AC/DC|"quick"|C\\+\\+')],
  [["Odd", "Ahead"], regex("draft(?! \\d)")],
];

/**
 * As the web UI prints them: JSON with every doubled backslash halved
 * (docs/reference/compatibility.md#what-clients-ask).
 */
const RULES_TEXT = JSON.stringify(RULES).replaceAll("\\\\", "\\");

const CATEGORY_EVENTS = `cat_events   = sort_by_duration(merge_events_by_keys(events, ["$category"]));`;

function canonicalEvents(withBrowser: boolean): string[] {
  return [
    `events = flood(query_bucket("${WINDOW_BUCKET}"));`,
    `not_afk = flood(query_bucket("${IDLE_BUCKET}"));`,
    `not_afk = filter_keyvals(not_afk, "status", ["not-afk"]);`,
    "browser_events = [];",
    ...(withBrowser ? browserEvents() : []),
    `audible_events = filter_keyvals(browser_events, "audible", [true]);`,
    "not_afk = period_union(not_afk, audible_events);",
    "events = filter_period_intersect(events, not_afk);",
    "stopwatch_events = [];",
    `events = categorize(events, ${RULES_TEXT});`,
  ];
}

function browserEvents(): string[] {
  const apps = `["org.mozilla.firefox","io.gitlab.librewolf-community","net.waterfox.waterfox"]`;
  return [
    `events_firefox = flood(query_bucket("${BROWSER_BUCKET}"));`,
    `window_firefox = filter_keyvals(events, "app", ${apps});`,
    `window_firefox_re = filter_keyvals_regex(events, "app", "(?i)(firefox|librewolf|waterfox|nightly)");`,
    "window_firefox = sort_by_timestamp(concat(window_firefox, window_firefox_re));",
    "events_firefox = filter_period_intersect(events_firefox, window_firefox);",
    "events_firefox = split_url_events(events_firefox);",
    "browser_events = concat(browser_events, events_firefox);",
    "browser_events = sort_by_timestamp(browser_events);",
  ];
}

function largest(name: string, key: string): string[] {
  return [
    `${name} = merge_events_by_keys(browser_events, ["${key}"]);`,
    `${name} = sort_by_duration(${name});`,
    `${name} = limit_events(${name}, 100);`,
  ];
}

/** The program of the activity view of ActivityWatch's web UI, with the filter for idle time. */
export function desktopProgram(withBrowser: boolean): string[] {
  return [
    ...canonicalEvents(withBrowser),
    `title_events = sort_by_duration(merge_events_by_keys(events, ["app", "title"]));`,
    `app_events   = sort_by_duration(merge_events_by_keys(title_events, ["app"]));`,
    CATEGORY_EVENTS,
    "app_events  = limit_events(app_events, 100);",
    "title_events  = limit_events(title_events, 100);",
    "duration = sum_durations(events);",
    "browser_events = split_url_events(browser_events);",
    ...largest("browser_urls", "url"),
    ...largest("browser_domains", "$domain"),
    ...largest("browser_titles", "title"),
    "browser_duration = sum_durations(browser_events);",
    `stopwatch_events = merge_events_by_keys(stopwatch_events, ["label"]);`,
    "stopwatch_events = sort_by_duration(stopwatch_events);",
    "stopwatch_events = limit_events(stopwatch_events, 100);",
    `RETURN = {
        "window": {
            "app_events": app_events,
            "title_events": title_events,
            "cat_events": cat_events,
            "active_events": not_afk,
            "duration": duration
        },
        "browser": {
            "domains": browser_domains,
            "urls": browser_urls,
            "titles": browser_titles,
            "duration": browser_duration
        },
        "stopwatch": {
            "stopwatch_events": stopwatch_events
        }
    };`,
  ];
}

/** The program of the category bars. */
export function categoryProgram(): string[] {
  return [...canonicalEvents(false), CATEGORY_EVENTS, `RETURN = { "cat_events": cat_events };`];
}

/**
 * Patterns that plain backtracking never finishes on texts that nearly match: one that an automaton can decide, and one
 * that needs backtracking.
 */
export function hostilePrograms(): string[][] {
  return ["^(.+)+\\d$", "^(?:(.)(?!\\1)|\\w*)*\\d$"].map((pattern) => [
    `RETURN = filter_keyvals_regex(query_bucket("${WINDOW_BUCKET}"), "title", "${pattern}");`,
  ]);
}

/** The body of a query request. */
export interface Question {
  readonly timeperiods: readonly string[];
  readonly query: readonly string[];
}

/** Consecutive periods of equal length, from some days after the first one. */
export function periods(firstDay: number, count: number, micros: number): string[] {
  const instant = (at: number): string =>
    `${new Date((FIRST_DAY + firstDay * MICROS_PER_DAY + at * micros) / 1000).toISOString().slice(0, 19)}+00:00`;
  return Array.from({ length: count }, (_, at) => `${instant(at)}/${instant(at + 1)}`);
}

export const MONTH: readonly string[] = periods(0, 1, QUERY_DAYS * MICROS_PER_DAY);
export const DAYS: readonly string[] = periods(0, QUERY_DAYS, MICROS_PER_DAY);
/** The twentieth day, which has about as many events as any other. */
export const ONE_DAY: readonly string[] = periods(19, 1, MICROS_PER_DAY);

/** The same program with another text and another value, so that no server has its result. */
export function unseen({ timeperiods, query }: Question, number: number): Question {
  return { timeperiods, query: [`question = ${number};`, ...query] };
}
