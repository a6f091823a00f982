import type { JsonObject } from "../../domain/json.js";
import { BOTH_SPAN } from "../examples.js";

/** Schemas of reports (docs/guides/reports.md). */
export const REPORT_SCHEMAS = {
  ReportSeconds: { type: "number", minimum: 0, description: "Seconds. Each moment counts once." },
  ReportTotals: {
    description: "The time of a period, in seconds.",
    properties: {
      active: { $ref: "ReportSeconds", description: "The time with a window while active. Each moment counts once." },
      away: { $ref: "ReportSeconds", description: "The time that AFK watchers report as away and that is not active." },
      first: { $ref: "TimestampOrNull" },
      last: { $ref: "TimestampOrNull" },
      longest_focus: {
        anyOf: [{ $ref: "ReportStretch" }, { type: "null" }],
        description: "The longest stretch of activity without a break of more than five minutes.",
      },
      days: { $ref: "ReportDays" },
    },
  },
  ReportDays: {
    description: "The days with activity, and averages of them.",
    properties: {
      count: { type: "integer", description: "The number of days with activity." },
      first: {
        type: ["number", "null"],
        description: "When activity starts, in seconds after midnight as clocks show it.",
      },
      last: {
        type: ["number", "null"],
        description: "When it ends, in the same form. More than 86,400 after the next midnight.",
      },
      span: { type: ["number", "null"], description: "The elapsed seconds between the two." },
    },
  },
  ReportStretch: {
    description: "A time range with its elapsed seconds.",
    properties: { start: { $ref: "Timestamp" }, end: { $ref: "Timestamp" }, seconds: { $ref: "ReportSeconds" } },
  },
  ReportCategoryTime: {
    description: "The time of a category, without its subcategories.",
    properties: { name: { type: "array", items: { type: "string" } }, seconds: { $ref: "ReportSeconds" } },
  },
  ReportRow: {
    description: "A row of a list.",
    required: ["key", "seconds", "share"],
    properties: {
      key: { type: ["string", "null"], description: "The value; null for events without one." },
      seconds: { $ref: "ReportSeconds" },
      share: { type: "number", description: "The share of the list's time, from 0 to 1." },
      change: { type: "number", description: "Seconds more than in the compared period." },
      name: { type: "array", items: { type: "string" }, description: "The levels of a category." },
      own: {
        $ref: "ReportSeconds",
        description: "The time of a category without its subcategories, which `seconds` includes.",
      },
      score: { type: "number", description: "The points per hour of a category, unless they are 0." },
      app: { type: ["string", "null"], description: "The app of a title." },
      names: {
        type: "array",
        items: { type: "string" },
        description: "The names that watchers report for an app, if they differ from `key`.",
      },
      categories: {
        type: "array",
        items: { $ref: "ReportCategoryTime" },
        description: "The longest categories of an app or a title.",
      },
    },
  },
  ReportGroup: {
    description: "A list, the longest rows first. A parent category precedes its subcategories.",
    properties: {
      rows: { type: "array", items: { $ref: "ReportRow" } },
      total: { type: "integer", description: "The number of all rows." },
      seconds: { $ref: "ReportSeconds" },
      next: { type: ["integer", "null"], description: "The offset of the next rows; null after the last one." },
    },
  },
  ReportBinRow: {
    description: "A row of a list, for the time of a bin.",
    required: ["key", "seconds", "first", "last"],
    properties: {
      key: { type: ["string", "null"], description: "The value; null for events without one." },
      seconds: { $ref: "ReportSeconds" },
      first: { $ref: "Timestamp" },
      last: { $ref: "Timestamp" },
      name: { type: "array", items: { type: "string" }, description: "The levels of a category." },
      app: { type: ["string", "null"], description: "The app of a title." },
      categories: { type: "array", items: { $ref: "ReportCategoryTime" }, description: "The longest categories." },
    },
  },
  ReportBinList: {
    description: "The part of a list in a bin, the longest rows first. Categories are without their subcategories.",
    properties: {
      rows: { type: "array", items: { $ref: "ReportBinRow" } },
      seconds: { $ref: "ReportSeconds", description: "The time of all rows, even those after the limit." },
      first: { $ref: "TimestampOrNull" },
      last: { $ref: "TimestampOrNull" },
    },
  },
  ReportBin: {
    description: "A part of the period. Parts are contiguous, and their times add up to the totals.",
    required: ["start", "end", "active", "away", "categories"],
    properties: {
      start: { $ref: "Timestamp" },
      end: { $ref: "Timestamp" },
      active: { $ref: "ReportSeconds" },
      away: { $ref: "ReportSeconds" },
      categories: { type: "array", items: { $ref: "ReportCategoryTime" }, description: "The longest first." },
      lists: {
        type: "object",
        additionalProperties: { $ref: "ReportBinList" },
        description: "Lists with `in_bins`, by their names.",
      },
      breaks: {
        type: "array",
        items: { $ref: "ReportStretch" },
        description: "Times without activity at any host, between activity in the bin, whatever the filter.",
      },
    },
  },
  ReportScore: {
    description: "How productive a period is, by the scores of its categories.",
    properties: {
      points: { type: "number", description: "The sum of the hours of each category, times its score." },
      productive: { $ref: "ReportSeconds", description: "The time in categories with a score above 0." },
      distracting: { $ref: "ReportSeconds", description: "The time in categories with a score below 0." },
    },
  },
  ReportAround: {
    description: "The active time of a bin.",
    properties: { start: { $ref: "Timestamp" }, end: { $ref: "Timestamp" }, active: { $ref: "ReportSeconds" } },
  },
  ReportPart: {
    description: "The numbers of a period.",
    required: ["start", "end", "totals", "groups", "bins"],
    properties: {
      start: { $ref: "Timestamp" },
      end: { $ref: "Timestamp" },
      totals: { $ref: "ReportTotals" },
      score: { $ref: "ReportScore", description: "With the list `category`." },
      groups: { type: "object", additionalProperties: { $ref: "ReportGroup" }, description: "The lists by name." },
      bins: { type: "array", items: { $ref: "ReportBin" } },
    },
  },
  ReportCoverage: {
    description: "What a watcher's bucket contributes.",
    properties: {
      bucket: { type: "string" },
      host: { type: "string" },
      kind: { enum: ["window", "phone", "afk", "browser", "editor", "stopwatch"] },
      seconds: { $ref: "ReportSeconds", description: "The time that its events cover." },
      first: { $ref: "TimestampOrNull" },
      last: { $ref: "TimestampOrNull" },
      silent: {
        type: "array",
        items: { $ref: "ReportStretch" },
        description:
          "Ranges of five minutes or more without its events, although another watcher shows that it was due.",
      },
      unmatched: {
        $ref: "ReportSeconds",
        description: "The time of pages while no window of their browser was in front.",
      },
    },
  },
  ReportGoal: {
    description: "A goal or limit of the setting `goals`, for this period.",
    required: ["category", "kind", "per", "target", "seconds"],
    properties: {
      category: { type: "array", items: { type: "string" }, description: "Empty for all active time." },
      kind: { enum: ["goal", "limit"] },
      per: { enum: ["day", "week"] },
      target: {
        $ref: "ReportSeconds",
        description: "Daily goals apply to each workday with activity, daily limits to each day with activity.",
      },
      seconds: { $ref: "ReportSeconds", description: "The spent time, including subcategories." },
      days: { $ref: "ReportGoalDays" },
    },
  },
  ReportGoalDays: {
    description: "The days that a daily goal or limit applies to, in a period of several days.",
    properties: {
      count: { type: "integer" },
      met: { type: "integer", description: "Days on which the goal was reached or the limit was kept." },
    },
  },
  ReportFault: {
    description: "A setting that could not be applied.",
    required: ["setting", "rule", "message"],
    properties: {
      setting: { enum: ["categories", "always_active_pattern", "browser_apps"] },
      rule: { type: ["string", "null"], description: "The name of the category." },
      message: { type: "string" },
      fault: { $ref: "FaultName" },
      values: { $ref: "FaultValues" },
    },
  },
  Report: {
    description: "The numbers of a period.",
    extends: "ReportPart",
    required: ["time_zone", "first_day", "last_day", "coverage", "goals", "faults"],
    properties: {
      time_zone: { type: "string" },
      first_day: { type: "string", description: "The first day, `YYYY-MM-DD`." },
      last_day: { type: "string", description: "The last day." },
      compared: { $ref: "ReportPart" },
      around: { type: "array", items: { $ref: "ReportAround" }, description: "The bins of the range `around`." },
      coverage: { type: "array", items: { $ref: "ReportCoverage" } },
      unassigned: {
        type: "array",
        items: { type: "string" },
        description: `Buckets of browsers without a host that no host, or several hosts, can own. The setting
          \`browser_hosts\` assigns them.`,
      },
      goals: { type: "array", items: { $ref: "ReportGoal" }, description: "Empty with a filter." },
      faults: { type: "array", items: { $ref: "ReportFault" } },
    },
  },
} as const;

/** docs/guides/reports.md. */
export const REPORT_OPERATIONS = {
  report: {
    route: "POST /api/0/report",
    call: "report",
    summary: "Report the time of a period",
    description: `Sums up the activity of a day, week, month, year or range: totals, bins, and lists by category, app,
      title and more. Each moment counts once. Only the events of readable buckets count.`,
    needs: "listed",
    readsOnly: true,
    body: "ReportRequest",
    sends: { date: "2024-03-01", groups: ["app"] },
    answer: "Report",
    example: {
      start: "2024-03-01T04:00:00+00:00",
      end: "2024-03-02T04:00:00+00:00",
      totals: {
        active: 60,
        away: 0,
        ...BOTH_SPAN,
        longest_focus: { start: "2024-03-01T10:00:00+00:00", end: "2024-03-01T10:01:00+00:00", seconds: 60 },
        days: { count: 1, first: 36_000, last: 36_060, span: 60 },
      },
      groups: {
        app: {
          rows: [
            { key: "browser", seconds: 52.5, share: 0.875 },
            { key: "editor", seconds: 7.5, share: 0.125 },
          ],
          total: 2,
          seconds: 60,
          next: null,
        },
      },
      bins: [],
      time_zone: "UTC",
      first_day: "2024-03-01",
      last_day: "2024-03-01",
      coverage: [
        { bucket: "window_desk", host: "desk", kind: "window", seconds: 60, ...BOTH_SPAN, silent: [], unmatched: 0 },
      ],
      unassigned: [],
      goals: [],
      faults: [],
    } as JsonObject,
    errors: ["QUERY_TOO_LARGE"],
  },
  classify: {
    route: "POST /api/0/classify",
    call: "classify",
    summary: "Find the categories of data",
    description: `Finds the category of each data by the stored rules, as reports do, and tests the data with a filter.
      For pages that color events. Invalid rules never match.`,
    needs: "listed",
    readsOnly: true,
    body: "ClassifyRequest",
    sends: { data: [{ app: "editor", title: "main.ts" }], filter: ["app=editor"] },
    answer: "Classified",
    example: { categories: [["Uncategorized"]], matches: [true] },
    errors: ["QUERY_TOO_LARGE"],
  },
} as const;
