/** Schemas of requests for reports (docs/reference/reports.md). */
export const REPORT_REQUEST_SCHEMAS = {
  ReportGroupRequest: {
    description: "A list of a report, with its own options.",
    required: ["by"],
    properties: {
      by: {
        type: "string",
        description: `\`category\`, \`app\`, \`title\`, \`site\`, \`url\`, \`project\`, \`file\`, \`language\`,
          \`host\`, \`:KEY\` for another key of windows, or \`TYPE:KEY\` for a key of all buckets of a type. Keys are
          separated by dots.`,
        examples: ["title", "general.stopwatch:label"],
      },
      limit: { type: "integer", minimum: 0, maximum: 10_000, description: "Default: the limit of the report." },
      offset: { type: "integer", minimum: 0, default: 0, description: "The number of rows to skip." },
      fold_numbers: { type: "boolean", default: false, description: "Counts keys that differ only in digits as one." },
      in_bins: { type: "boolean", default: false, description: "Whether each bin has its part of the list." },
      only: {
        enum: ["productive", "distracting"],
        description: "Only time in categories with a score above or below 0. For lists of windows, without `in_bins`.",
      },
      name: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description: "The name of the list in the response, if two have the same `by`. Default: `by`.",
      },
    },
    additionalProperties: false,
  },
  ReportAroundRequest: {
    description: "A range and the length of its bins.",
    required: ["date", "to", "by"],
    properties: {
      date: { type: "string", description: "The first day, as in the report.", examples: ["2024-02-16"] },
      to: { type: "string", description: "The last day." },
      by: { enum: ["hour", "day", "week", "month"] },
    },
    additionalProperties: false,
  },
  ReportRequest: {
    description: "The period, the hosts and the lists of a report.",
    required: [],
    properties: {
      period: {
        enum: ["day", "week", "month", "year", "range"],
        description: "Default: `range` with `to`, otherwise `day`.",
      },
      date: {
        type: "string",
        default: "today",
        description: "A day of the period, the first one of a range: `YYYY-MM-DD`, `today` or `yesterday`.",
        examples: ["2024-03-01"],
      },
      to: { type: "string", description: "The last day of a range, in the same form." },
      time_zone: {
        type: "string",
        description: "An IANA name. Default: the setting `timeZone`, otherwise UTC.",
        examples: ["Europe/Berlin"],
      },
      day_start: { type: "string", description: "`HH:MM`. Default: the setting `startOfDay`, otherwise `04:00`." },
      week_start: {
        enum: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        description: "Default: the setting `startOfWeek`, otherwise Monday.",
      },
      by: { enum: ["hour", "day", "week", "month"], description: "The length of the bins. Default: no bins." },
      hosts: {
        anyOf: [{ type: "array", items: { type: "string" } }, { enum: ["all"] }],
        default: "all",
        description: "Hostnames. A moment at several hosts counts once, and once in the row of each host.",
      },
      filter: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Conditions that all windows, pages and files meet, in the syntax of searches.",
        examples: [["app=editor"]],
      },
      groups: {
        type: "array",
        items: { anyOf: [{ type: "string" }, { $ref: "ReportGroupRequest" }] },
        default: [],
        maxItems: 20,
        description: "The lists of the report, by name or with options.",
      },
      limit: { type: "integer", minimum: 0, maximum: 10_000, default: 100, description: "Most rows of each list." },
      categories: {
        type: "array",
        items: { type: "object", additionalProperties: {} },
        description: "Categories to try out instead of the stored ones, in the form of the setting `classes`.",
      },
      rule: {
        type: "object",
        additionalProperties: {},
        description: "Only windows that this rule of a category matches count.",
        examples: [{ type: "regex", regex: "editor", ignore_case: true }],
      },
      shortest_break: {
        type: "integer",
        minimum: 1,
        maximum: 86_400,
        description: "Seconds without activity that are a break. With it, bins have their breaks.",
      },
      around: {
        $ref: "ReportAroundRequest",
        description: "Another range, whose active time is reported as well, such as the days around one.",
      },
      compare: {
        enum: ["previous"],
        description: `Compares with the period before, for a day with the same weekday of the week before. A current
          period is compared up to the same time.`,
      },
    },
    additionalProperties: false,
  },
  ClassifyRequest: {
    description: "Data of events.",
    required: ["data"],
    properties: {
      data: { type: "array", items: { type: "object", additionalProperties: {} }, maxItems: 2000 },
      filter: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Conditions to test the data with, in the syntax of searches.",
        examples: [["app=editor"]],
      },
    },
    additionalProperties: false,
  },
  Classified: {
    description: "Where data belong, in the order of the request.",
    properties: {
      categories: { type: "array", items: { type: "array", items: { type: "string" } } },
      matches: { type: "array", items: { type: "boolean" }, description: "Whether the data meet the filter." },
    },
  },
} as const;
