import { type Command, define, known, PLACE } from "./command.js";

/** Commands that take care of what is stored. */
export const CARE_COMMANDS: readonly Command[] = [
  define({
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
    flags: PLACE,
    load: async () => (await import("./tools/buckets.js")).buckets,
  }),
  define({
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
    flags: [...known("trash-days"), ...PLACE],
    load: async () => (await import("./tools/events.js")).events,
  }),
  define({
    name: "privacy",
    usage: "privacy preview [FILE] | apply [FILE] --yes [--buckets GLOB]",
    summary: "try privacy rules on what is stored, and apply them to it",
    about: [
      "preview counts what the rules of the settings, or those of a JSON file, would do to all that is",
      "stored, and shows examples; apply does it, and says what undoes it: docs/privacy.md.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/privacy.js")).privacy,
  }),
  define({
    name: "trash",
    usage: "trash list | restore ID [--bucket ID] [--merge] | delete ID | empty",
    summary: "restore what was deleted, or delete it for good",
    about: [
      "Lists what was deleted within the last 30 days, and puts it back: a bucket, or events into their",
      "bucket. delete and empty ask, and delete for good: docs/trash.md.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [...known("trash-days"), ...PLACE],
    load: async () => (await import("./tools/trash.js")).trash,
  }),
  define({
    name: "search",
    usage: "search TEXT [--buckets GLOB]",
    summary: "search the events of all buckets",
    about: [
      "Lists the newest 100 events that meet a term, such as thesis, title~thesis or 'category:Work', and says",
      "what all of them come to: docs/search.md. Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/search.js")).search,
  }),
  define({
    name: "retention",
    usage: "retention preview | run | log",
    summary: "delete and summarize old events by rules",
    about: [
      "The rules are the setting retention_rules: docs/retention.md. preview counts what they would do now,",
      "run does it, log lists what was done. A running server does it every hour by itself.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/retention.js")).retention,
  }),
];
