import type { OptionsOf } from "./tools/options.js";

/** The options of each command, by name of the flag. */
export const COMMAND_OPTIONS = {
  import: {
    from: {
      type: "path",
      hint: "PATH",
      help: "a database, an export, a backup, a WakaTime dump, CSV",
      byDefault: "look for databases",
    },
    bucket: { type: "text", hint: "ID", help: "for events that name no bucket" },
    "dry-run": { type: "switch", help: "say what is there, and import nothing" },
    yes: { type: "switch", help: "import without a question" },
  },
  verify: {},
  salvage: { to: { type: "output", hint: "DIR", help: "the new folder" } },
  encrypt: {
    to: { type: "output", hint: "DIR", help: "the new folder" },
    "new-key-file": { type: "path", hint: "FILE", help: "file with the key that is to open it" },
  },
  "rotate-key": {
    "new-key-file": { type: "path", hint: "FILE", help: "file with the key that is to open it" },
  },
  backup: {
    to: { type: "output", hint: "FILE", help: "the file, .jsonl or .jsonl.gz; - for stdout" },
    force: { type: "switch", help: "replace an existing file" },
  },
  restore: {
    file: { type: "path", hint: "FILE", help: "the backup", isOperand: true },
    merge: { type: "switch", help: "add what is missing to what is there" },
  },
  migrate: {},
  keys: {
    action: { type: "text", hint: "ACTION", help: "add, list or revoke", isOperand: true },
    name: { type: "text", hint: "NAME", help: "the name of the key", isOperand: true },
    scope: { type: "list", hint: "SCOPE", help: "what it opens; repeatable" },
    expires: { type: "text", hint: "WHEN", help: "30m, 12h, 90d or a time", byDefault: "never" },
    origin: { type: "text", hint: "URL", help: "the one web origin that may use it", byDefault: "any" },
  },
  buckets: {
    action: {
      type: "text",
      hint: "ACTION",
      help: "rename, host, rename-host, merge, redirects or undo",
      isOperand: true,
    },
    name: { type: "text", hint: "ID", help: "the bucket, the hostname, or the undo", isOperand: true },
    target: { type: "text", hint: "NEW", help: "the new id or hostname", isOperand: true },
    source: { type: "list", hint: "ID", help: "to be merged; repeatable" },
    overlaps: {
      type: "text",
      hint: "POLICY",
      help: "of events of merged buckets: keep-both, cut-older, first-wins",
      byDefault: "keep-both",
    },
    "rename-buckets": { type: "switch", help: "ids that end in _OLD end in _NEW then" },
    redirect: {
      type: "text",
      hint: "UNTIL",
      help: "lead old ids to the new ones until then, or no",
      byDefault: "for good",
    },
    remove: { type: "switch", help: "remove the redirect" },
    "dry-run": { type: "switch", help: "say what would be done, and do nothing" },
    yes: { type: "switch", help: "do it without a question" },
  },
  events: {
    action: { type: "text", hint: "ACTION", help: "delete, split or move", isOperand: true },
    name: { type: "text", hint: "BUCKET", help: "the bucket of the event", isOperand: true },
    event: { type: "text", hint: "EVENT", help: "the id of the event", isOperand: true },
    target: { type: "text", hint: "TO", help: "the bucket to move it to", isOperand: true },
    filter: { type: "list", hint: "TERM", help: "what events are deleted; repeatable" },
    buckets: { type: "text", hint: "GLOB", help: "ids of buckets; * stands for any text", byDefault: "*" },
    start: { type: "text", hint: "TIME", help: "from then on, such as 2024-03-01T10:00:00Z" },
    end: { type: "text", hint: "TIME", help: "until then" },
    at: { type: "text", hint: "TIME", help: "where an event is split" },
    permanent: { type: "switch", help: "past the trash, and out of the files" },
    "dry-run": { type: "switch", help: "say what would be done, and do nothing" },
    yes: { type: "switch", help: "do it without a question" },
  },
  privacy: {
    action: { type: "text", hint: "ACTION", help: "preview or apply", isOperand: true },
    file: { type: "path", hint: "FILE", help: "a list of rules; those of the settings without one", isOperand: true },
    buckets: { type: "text", hint: "GLOB", help: "ids of buckets; * stands for any text", byDefault: "*" },
    "dry-run": { type: "switch", help: "say what would be done, and do nothing" },
    yes: { type: "switch", help: "do it without a question" },
  },
  trash: {
    action: { type: "text", hint: "ACTION", help: "list, restore, delete or empty", isOperand: true },
    name: { type: "text", hint: "ID", help: "the entry", isOperand: true },
    bucket: { type: "text", hint: "ID", help: "another bucket to restore it to", byDefault: "its own" },
    merge: { type: "switch", help: "put the events of a bucket into the one that has its id again" },
    yes: { type: "switch", help: "delete without a question" },
  },
  search: {
    action: { type: "text", hint: "TEXT", help: "a term of a filter", isOperand: true },
    buckets: { type: "text", hint: "GLOB", help: "ids of buckets; * stands for any text", byDefault: "*" },
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
  retention: { action: { type: "text", hint: "ACTION", help: "preview, run or log", isOperand: true } },
  open: { print: { type: "switch", help: "print the link instead of opening it" } },
  pair: {
    code: { type: "text", hint: "CODE", help: "the code of who asks", isOperand: true },
    scope: { type: "list", hint: "SCOPE", help: "fewer or narrower ones than are asked for; repeatable" },
    name: { type: "text", hint: "NAME", help: "for the key", byDefault: "as asked" },
    refuse: { type: "switch", help: "refuse it" },
  },
  init: {
    framework: { type: "text", hint: "NAME", help: "a name from --list, such as express or next" },
    list: { type: "switch", help: "list the frameworks" },
    to: { type: "path", hint: "DIR", help: "the project", byDefault: "the current folder" },
    "dry-run": { type: "switch", help: "show the files, write nothing" },
    yes: { type: "switch", help: "write without a question" },
  },
} as const;

/** A command with options of its own. */
export type CommandName = keyof typeof COMMAND_OPTIONS;

/** The arguments of a command. */
export type CommandOptions<Name extends CommandName> = OptionsOf<(typeof COMMAND_OPTIONS)[Name]>;
