import type { OptionsOf } from "./tools/options.js";

/** The options of each command, by name of the flag. */
export const COMMAND_OPTIONS = {
  import: {
    from: {
      type: "path",
      hint: "PATH",
      help: "import this database, export, backup, WakaTime dump or CSV",
      byDefault: "all found databases",
    },
    bucket: { type: "text", hint: "ID", help: "import events without a bucket into this one" },
    "dry-run": { type: "switch", help: "show the data without importing it" },
    yes: { type: "switch", help: "import without asking" },
  },
  verify: {},
  salvage: { to: { type: "output", hint: "DIR", help: "create this folder" } },
  encrypt: {
    to: { type: "output", hint: "DIR", help: "create this folder" },
    "new-key-file": { type: "path", hint: "FILE", help: "encrypt the new folder with the key in this file" },
  },
  "rotate-key": {
    "new-key-file": { type: "path", hint: "FILE", help: "replace the key with the one in this file" },
  },
  backup: {
    to: { type: "output", hint: "FILE", help: "write this .jsonl or .jsonl.gz file; - for stdout" },
    force: { type: "switch", help: "replace an existing file" },
  },
  restore: {
    file: { type: "path", hint: "FILE", help: "restore this backup", isOperand: true },
    merge: { type: "switch", help: "add missing data to existing data" },
  },
  migrate: {},
  keys: {
    action: { type: "text", hint: "ACTION", help: "add, list or revoke", isOperand: true },
    name: { type: "text", hint: "NAME", help: "name of the key", isOperand: true },
    scope: { type: "list", hint: "SCOPE", help: "grant this scope; repeatable" },
    expires: { type: "text", hint: "WHEN", help: "expire after 30m, 12h or 90d, or at a time", byDefault: "never" },
    origin: { type: "text", hint: "URL", help: "allow the key only from this web origin", byDefault: "any" },
  },
  buckets: {
    action: {
      type: "text",
      hint: "ACTION",
      help: "rename, host, rename-host, merge, redirects or undo",
      isOperand: true,
    },
    name: { type: "text", hint: "ID", help: "ID of the bucket or change, or the hostname", isOperand: true },
    target: { type: "text", hint: "NEW", help: "new ID or hostname", isOperand: true },
    source: { type: "list", hint: "ID", help: "merge this bucket; repeatable" },
    overlaps: {
      type: "text",
      hint: "POLICY",
      help: "resolve overlaps: keep-both, cut-older or first-wins",
      byDefault: "keep-both",
    },
    "rename-buckets": { type: "switch", help: "replace _OLD with _NEW at the end of bucket IDs" },
    redirect: {
      type: "text",
      hint: "UNTIL",
      help: "redirect old IDs until this time; no turns it off",
      byDefault: "forever",
    },
    remove: { type: "switch", help: "remove the redirect of ID" },
    "dry-run": { type: "switch", help: "show the changes without making them" },
    yes: { type: "switch", help: "make the changes without asking" },
  },
  events: {
    action: { type: "text", hint: "ACTION", help: "delete, split or move", isOperand: true },
    name: { type: "text", hint: "BUCKET", help: "bucket of the event", isOperand: true },
    event: { type: "text", hint: "EVENT", help: "ID of the event", isOperand: true },
    target: { type: "text", hint: "TO", help: "bucket to move it to", isOperand: true },
    filter: { type: "list", hint: "TERM", help: "delete only events that match; repeatable" },
    buckets: {
      type: "text",
      hint: "GLOB",
      help: "use only these bucket IDs; * matches any characters",
      byDefault: "*",
    },
    start: { type: "text", hint: "TIME", help: "delete events after this time, e.g. 2024-03-01T10:00:00Z" },
    end: { type: "text", hint: "TIME", help: "delete events before this time" },
    at: { type: "text", hint: "TIME", help: "split the event at this time" },
    permanent: { type: "switch", help: "skip the trash and erase the data on disk" },
    "dry-run": { type: "switch", help: "show the changes without making them" },
    yes: { type: "switch", help: "make the changes without asking" },
  },
  privacy: {
    action: { type: "text", hint: "ACTION", help: "preview or apply", isOperand: true },
    file: { type: "path", hint: "FILE", help: "JSON file with rules; default: the stored rules", isOperand: true },
    buckets: {
      type: "text",
      hint: "GLOB",
      help: "use only these bucket IDs; * matches any characters",
      byDefault: "*",
    },
    "dry-run": { type: "switch", help: "show the changes without making them" },
    yes: { type: "switch", help: "make the changes without asking" },
  },
  trash: {
    action: { type: "text", hint: "ACTION", help: "list, restore, delete or empty", isOperand: true },
    name: { type: "text", hint: "ID", help: "ID of the entry", isOperand: true },
    bucket: { type: "text", hint: "ID", help: "restore into this bucket", byDefault: "its own" },
    merge: { type: "switch", help: "merge into an existing bucket with the same ID" },
    yes: { type: "switch", help: "delete without asking" },
  },
  search: {
    action: { type: "text", hint: "TEXT", help: "filter to search for", isOperand: true },
    buckets: {
      type: "text",
      hint: "GLOB",
      help: "use only these bucket IDs; * matches any characters",
      byDefault: "*",
    },
  },
  report: {
    period: {
      type: "text",
      hint: "PERIOD",
      help: "today, yesterday, week, month, year, a day or FROM..TO",
      byDefault: "today",
      isOperand: true,
    },
    by: { type: "text", hint: "UNIT", help: "add a table by hour, day, week or month" },
    group: {
      type: "list",
      hint: "NAME",
      help: "category, app, title, site, ...; repeatable",
      byDefault: "category, app",
    },
    host: { type: "list", hint: "HOST", help: "a hostname; repeatable", byDefault: "all" },
    filter: { type: "list", hint: "TERM", help: "count only matching events; repeatable" },
    compare: { type: "switch", help: "compare with the period before" },
    csv: { type: "switch", help: "print CSV" },
    markdown: { type: "switch", help: "print tables in Markdown" },
    url: { type: "text", hint: "URL", help: "another server", byDefault: "the data folder's" },
    "key-file": { type: "path", hint: "FILE", help: "file with the API key for --url" },
  },
  feed: {
    buckets: { type: "text", hint: "GLOB", help: "follow only these bucket IDs; * matches any characters" },
  },
  mcp: {
    url: { type: "text", hint: "URL", help: "use this server", byDefault: "the data folder's" },
    "key-file": { type: "path", hint: "FILE", help: "file with the API key", byDefault: "no key" },
  },
  retention: { action: { type: "text", hint: "ACTION", help: "preview, run or log", isOperand: true } },
  open: { print: { type: "switch", help: "print the link instead of opening it" } },
  pair: {
    code: { type: "text", hint: "CODE", help: "code shown by the requesting device", isOperand: true },
    scope: { type: "list", hint: "SCOPE", help: "grant only this scope; repeatable" },
    name: { type: "text", hint: "NAME", help: "name the key", byDefault: "as requested" },
    refuse: { type: "switch", help: "refuse the request" },
  },
  init: {
    framework: { type: "text", hint: "NAME", help: "use this framework of --list, such as express" },
    list: { type: "switch", help: "list the frameworks" },
    to: { type: "path", hint: "DIR", help: "write into this project", byDefault: "the current folder" },
    "dry-run": { type: "switch", help: "show the files without writing them" },
    yes: { type: "switch", help: "write without asking" },
  },
} as const;

/** A command with its own options. */
export type CommandName = keyof typeof COMMAND_OPTIONS;

/** The arguments of a command. */
export type CommandOptions<Name extends CommandName> = OptionsOf<(typeof COMMAND_OPTIONS)[Name]>;
