import { type Command, operand, PLACE } from "./command.js";
import type { Flag } from "./flags.js";

const BUCKETS: Flag = {
  name: "buckets",
  kind: "text",
  hint: "GLOB",
  help: "ids of buckets; * stands for any text",
  byDefault: "*",
  commandLineOnly: true,
};

/** Commands that take care of what is stored. */
export const CARE_COMMANDS: readonly Command[] = [
  {
    name: "privacy",
    usage: "privacy preview [FILE] [--buckets GLOB]",
    summary: "try privacy rules on what is stored",
    about: [
      "preview counts what the rules of the settings, or those of a JSON file, would do to all that is",
      "stored, and shows examples: docs/privacy.md. Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [
      operand("action", "ACTION", "preview"),
      operand("file", "FILE", "a list of rules; those of the settings without one"),
      BUCKETS,
      ...PLACE,
    ],
    load: async () => (await import("./tools/privacy.js")).privacy,
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
