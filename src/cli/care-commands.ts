import { type Command, choice, known, operand, PLACE } from "./command.js";
import type { Flag } from "./flags.js";

const BUCKETS: Flag = {
  name: "buckets",
  kind: "text",
  hint: "GLOB",
  help: "ids of buckets; * stands for any text",
  byDefault: "*",
  commandLineOnly: true,
};

function text(name: string, hint: string, help: string): Flag {
  return { name, kind: "text", hint, help, commandLineOnly: true };
}

/** Commands that take care of what is stored. */
export const CARE_COMMANDS: readonly Command[] = [
  {
    name: "buckets",
    usage: "buckets rename ID NEW | host ID NAME | rename-host OLD NEW | merge ID --source ID | redirects | undo [ID]",
    summary: "rename and merge buckets and hosts, and take that back",
    about: [
      "Shows what would be done and asks. rename gives a bucket another id, host sets its hostname,",
      "rename-host does that for all buckets of a host, merge puts the events of other buckets into one;",
      "who reports to an old id is led to the new one.",
      "redirects lists such ids, undo what can be undone: docs/buckets.md.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [
      operand("action", "ACTION", "rename, host, rename-host, merge, redirects or undo"),
      operand("name", "ID", "the bucket, the hostname, or the undo"),
      operand("target", "NEW", "the new id or hostname"),
      { ...text("source", "ID", "to be merged; repeatable"), joinedBy: "\n" },
      {
        name: "overlaps",
        kind: "text",
        hint: "POLICY",
        help: "of events of merged buckets: keep-both, cut-older, first-wins",
        byDefault: "keep-both",
        commandLineOnly: true,
      },
      choice("rename-buckets", "ids that end in _OLD end in _NEW then"),
      {
        name: "redirect",
        kind: "text",
        hint: "UNTIL",
        help: "lead old ids to the new ones until then, or no",
        byDefault: "for good",
        commandLineOnly: true,
      },
      choice("remove", "remove the redirect"),
      choice("dry-run", "say what would be done, and do nothing"),
      choice("yes", "do it without a question"),
      ...PLACE,
    ],
    load: async () => (await import("./tools/buckets.js")).buckets,
  },
  {
    name: "events",
    usage:
      "events delete [--filter TERM] [--start TIME] [--end TIME] | split BUCKET EVENT --at TIME | move BUCKET EVENT TO",
    summary: "delete events by range and filter, split and move them",
    about: [
      "delete shows how many events meet all terms, such as app=firefox, title~thesis or 'category:Work',",
      "and overlap the range, asks, and puts them into the trash: docs/trash.md. split makes two events",
      "of one, move puts one into another bucket. EVENT is an id, as search and exports show it.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [
      operand("action", "ACTION", "delete, split or move"),
      operand("name", "BUCKET", "the bucket of the event"),
      operand("event", "EVENT", "the id of the event"),
      operand("target", "TO", "the bucket to move it to"),
      { ...text("filter", "TERM", "what events are deleted; repeatable"), joinedBy: "\n" },
      BUCKETS,
      text("start", "TIME", "from then on, such as 2024-03-01T10:00:00Z"),
      text("end", "TIME", "until then"),
      text("at", "TIME", "where an event is split"),
      choice("permanent", "past the trash, and out of the files"),
      choice("dry-run", "say what would be done, and do nothing"),
      choice("yes", "do it without a question"),
      ...known("trash-days"),
      ...PLACE,
    ],
    load: async () => (await import("./tools/events.js")).events,
  },
  {
    name: "privacy",
    usage: "privacy preview [FILE] | apply [FILE] --yes [--buckets GLOB]",
    summary: "try privacy rules on what is stored, and apply them to it",
    about: [
      "preview counts what the rules of the settings, or those of a JSON file, would do to all that is",
      "stored, and shows examples; apply does it, and says what undoes it: docs/privacy.md.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [
      operand("action", "ACTION", "preview or apply"),
      operand("file", "FILE", "a list of rules; those of the settings without one"),
      BUCKETS,
      choice("dry-run", "say what would be done, and do nothing"),
      choice("yes", "do it without a question"),
      ...PLACE,
    ],
    load: async () => (await import("./tools/privacy.js")).privacy,
  },
  {
    name: "trash",
    usage: "trash list | restore ID [--bucket ID] [--merge] | delete ID | empty",
    summary: "restore what was deleted, or delete it for good",
    about: [
      "Lists what was deleted within the last 30 days, and puts it back: a bucket, or events into their",
      "bucket. delete and empty ask, and delete for good: docs/trash.md.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [
      operand("action", "ACTION", "list, restore, delete or empty"),
      operand("name", "ID", "the entry"),
      {
        name: "bucket",
        kind: "text",
        hint: "ID",
        help: "another bucket to restore it to",
        byDefault: "its own",
        commandLineOnly: true,
      },
      choice("merge", "put the events of a bucket into the one that has its id again"),
      choice("yes", "delete without a question"),
      ...known("trash-days"),
      ...PLACE,
    ],
    load: async () => (await import("./tools/trash.js")).trash,
  },
  {
    name: "search",
    usage: "search TEXT [--buckets GLOB]",
    summary: "search the events of all buckets",
    about: [
      "Lists the newest 100 events that meet a term, such as thesis, title~thesis or 'category:Work', and says",
      "what all of them come to: docs/search.md. Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [operand("action", "TEXT", "a term of a filter"), BUCKETS, ...PLACE],
    load: async () => (await import("./tools/search.js")).search,
  },
  {
    name: "retention",
    usage: "retention preview | run | log",
    summary: "delete and summarize old events by rules",
    about: [
      "The rules are the setting retention_rules: docs/retention.md. preview counts what they would do now,",
      "run does it, log lists what was done. A running server does it every hour by itself.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [operand("action", "ACTION", "preview, run or log"), ...PLACE],
    load: async () => (await import("./tools/retention.js")).retention,
  },
];
