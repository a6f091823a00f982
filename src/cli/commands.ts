import { closest } from "./closest.js";
import {
  type Command,
  defineCommand,
  FOLDER_FLAGS,
  KEY_FLAGS,
  OUTPUT_FLAGS,
  STORAGE_FLAGS,
  serverFlags,
} from "./command.js";
import { printable, usageError } from "./launch-error.js";

/** All commands. */
export const COMMANDS: readonly Command[] = [
  defineCommand({
    name: "import",
    usage: "import [--from PATH] [--data DIR | --storage postgres]",
    summary: "import data from ActivityWatch, WakaTime and others",
    description: [
      "Without --from, looks for the databases of aw-server and aw-server-rust, shows their contents and",
      "asks. Copies a database before it reads it, and never changes it. Skips existing data, so you can",
      "repeat an interrupted import. Asks a running server to import. Without one, opens or creates the",
      "data folder. Exit code: 0 success, 1 unreadable data or failure, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/import.js")).importData,
  }),
  defineCommand({
    name: "verify",
    usage: "verify [--data DIR | --storage postgres]",
    summary: "check all stored data",
    description: [
      "Reads and checks everything in the data folder. Asks a running server to do it. Without one, opens",
      "the folder. Opens a database directly, even if servers use it. Exit code: 0 sound, 1 damaged or",
      "cannot be opened, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/verify.js")).verify,
  }),
  defineCommand({
    name: "salvage",
    usage: "salvage --to DIR [--data DIR]",
    summary: "save the readable part of a damaged data folder into a new one",
    description: [
      "Reads everything readable in a damaged folder, even if it does not open, and writes it into a new",
      "folder. Does not change the damaged one. Puts events without their bucket into buckets named",
      "recovered-.... Reports lost data. No server may use the folder. Exit code: 0 nothing lost, 1 data",
      "lost or failure, 2 wrong flags.",
    ],
    flags: [...KEY_FLAGS, ...FOLDER_FLAGS],
    load: async () => (await import("./tools/salvage.js")).salvage,
  }),
  defineCommand({
    name: "encrypt",
    usage: "encrypt --to DIR --new-key-file FILE [--data DIR]",
    summary: "copy a data folder into a new encrypted one",
    description: [
      "Copies everything, plain or encrypted with another key, into a new folder with its own keys. Does",
      "not change the old folder. Remove it when you use the new one. No server may use it. Exit code: 0",
      "success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [...KEY_FLAGS, ...FOLDER_FLAGS],
    load: async () => (await import("./tools/encrypt.js")).encrypt,
  }),
  defineCommand({
    name: "rotate-key",
    usage: "rotate-key --new-key-file FILE --encryption-key-file FILE [--data DIR]",
    summary: "change the key of an encrypted data folder",
    description: [
      "After this, only the new key opens the folder. Does not rewrite data. If interrupted, one of the",
      "two keys opens the folder. A running server continues and needs the new key at its next start.",
      "Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [...KEY_FLAGS, ...FOLDER_FLAGS],
    load: async () => (await import("./tools/rotate-key.js")).rotateKey,
  }),
  defineCommand({
    name: "backup",
    usage: "backup --to FILE [--data DIR | --storage postgres]",
    summary: "write a backup, even while a server runs",
    description: [
      "Writes one consistent state of everything: buckets, events with their IDs, settings, device ID.",
      "The file has JSON lines with a checksum in the last one. It is compressed if its name ends in .gz.",
      "Running servers continue. For a database, it contains one namespace. You can restore it into any",
      "storage. Exit code: 0 written and checked, 1 failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/backup.js")).backup,
  }),
  defineCommand({
    name: "restore",
    usage: "restore FILE [--data DIR | --storage postgres] [--merge]",
    summary: "create a data folder from a backup, or fill a database",
    description: [
      "Checks the whole backup, then creates the data folder or fills a database's namespace. It must be",
      "new or empty, unless you pass --merge. Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/restore.js")).restore,
  }),
  defineCommand({
    name: "migrate",
    usage: "migrate [--data DIR | --storage postgres]",
    summary: "convert older data, or create a database's tables",
    description: [
      "Does now what the first start of a new version does. For a database, connects as a role that owns",
      "the tables, so that the role of the servers needs no right to change them. No server may use a",
      "folder. Exit code: 0 success or nothing to do, 1 refused or failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/migrate.js")).migrate,
  }),
  defineCommand({
    name: "keys",
    usage: "keys add NAME --scope SCOPE [--expires WHEN] [--origin URL] | list | revoke NAME",
    summary: "create, list and revoke API keys",
    description: [
      "A scope is read:GLOB, append:GLOB, write:GLOB or admin. GLOB is a bucket ID in which * matches any",
      "characters. assistant:categories, :apps, :sites, :titles or :query limits what assistants learn. A new key is",
      "shown only once. A running server applies it at once, and the servers of a database within three",
      "seconds. Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/keys.js")).ACTIONS,
  }),
  defineCommand({
    name: "buckets",
    usage: "buckets rename ID NEW | host ID NAME | rename-host OLD NEW | merge ID --source ID | redirects | undo [ID]",
    summary: "rename and merge buckets and hosts, and undo it",
    description: [
      "Shows the changes and asks. rename changes a bucket's ID, host sets its hostname, rename-host",
      "does that for all buckets of a host, and merge moves events of other buckets into one. Reports to",
      "an old ID are redirected to the new one. redirects lists such IDs, and undo lists or undoes",
      "changes: docs/guides/buckets.md. Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/buckets.js")).ACTIONS,
  }),
  defineCommand({
    name: "events",
    usage:
      "events delete [--filter TERM] [--start TIME] [--end TIME] | split BUCKET EVENT --at TIME | move BUCKET EVENT TO",
    summary: "delete events by range and filter, split and move them",
    description: [
      "delete counts the events that match all filters, such as app=firefox, title~thesis or",
      "'category:Work', and overlap the range. It asks, then moves them to the trash: docs/guides/trash.md.",
      "split makes two events of one, and move puts one into another bucket. EVENT is an ID from search",
      "--json. Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [...serverFlags("trash-days"), ...STORAGE_FLAGS],
    load: async () => (await import("./tools/events.js")).ACTIONS,
  }),
  defineCommand({
    name: "privacy",
    usage: "privacy preview [FILE] | apply [FILE] --yes [--buckets GLOB]",
    summary: "try privacy rules on stored data, and apply them",
    description: [
      "preview counts what the stored rules, or the rules of a JSON file, would change in stored data,",
      "and shows examples. apply changes it and shows how to undo it: docs/guides/privacy.md. Exit code: 0",
      "success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/privacy.js")).ACTIONS,
  }),
  defineCommand({
    name: "trash",
    usage: "trash list | restore ID [--bucket ID] [--merge] | delete ID | empty",
    summary: "restore deleted data, or delete it permanently",
    description: [
      "list shows deleted data, which is kept for --trash-days. restore puts a bucket or events back.",
      "delete and empty ask, then delete permanently: docs/guides/trash.md. Exit code: 0 success, 1 refused or",
      "failed, 2 wrong flags.",
    ],
    flags: [...serverFlags("trash-days"), ...STORAGE_FLAGS],
    load: async () => (await import("./tools/trash.js")).ACTIONS,
  }),
  defineCommand({
    name: "search",
    usage: "search TEXT [--buckets GLOB]",
    summary: "search the events of all buckets",
    description: [
      "Lists the newest 100 events that match a filter, such as thesis, title~thesis or 'category:Work',",
      "with the totals of all matches: docs/guides/search.md. Exit code: 0 success, 1 refused or failed, 2 wrong",
      "flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/search.js")).search,
  }),
  defineCommand({
    name: "report",
    usage: "report [PERIOD] [--by UNIT] [--group NAME] [--host HOST] [--csv | --markdown | --json] [--url URL]",
    summary: "show the activity of a period",
    description: [
      "Prints active and away time, and tables by category and app, of today or another period such as",
      "week or 2024-03-01..2024-03-07: docs/guides/reports.md. Asks a running server. Without one, opens",
      "the data folder. Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/activity-report.js")).report,
  }),
  defineCommand({
    name: "feed",
    usage: "feed [--buckets GLOB] [--json]",
    summary: "print changes of stored data as they happen",
    description: [
      "Prints each change of a running server until you interrupt it: events, buckets and settings. Continues",
      "after restarts of the server: docs/guides/feed.md. Exit code: 1 no running server or refused, 2 wrong",
      "flags.",
    ],
    flags: FOLDER_FLAGS,
    load: async () => (await import("./tools/feed.js")).feed,
  }),
  defineCommand({
    name: "mcp",
    usage: "mcp [--url URL] [--key-file FILE]",
    summary: "connect an assistant with a running server",
    description: [
      "For assistants that start programs: passes messages of the Model Context Protocol from the standard",
      "input to a server with --mcp, and its responses to the standard output: docs/guides/assistants.md.",
      "Exit code: 0 end of input, 1 no running server, 2 wrong flags.",
    ],
    flags: FOLDER_FLAGS,
    load: async () => (await import("./tools/mcp.js")).mcp,
  }),
  defineCommand({
    name: "retention",
    usage: "retention preview | run | log",
    summary: "delete and summarize old events by rules",
    description: [
      "The rules are in the setting retention_rules: docs/guides/retention.md. preview counts what they would",
      "delete now, run applies them, and log lists earlier runs. A running server applies them every",
      "hour. Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: STORAGE_FLAGS,
    load: async () => (await import("./tools/retention.js")).ACTIONS,
  }),
  defineCommand({
    name: "open",
    usage: "open [--print] [--data DIR]",
    summary: "open the dashboard of a running server, signed in",
    description: [
      "Gets a link from the running server that signs in once within a minute, and opens it in the",
      "browser. Exit code: 0 success, 1 no running server or refused, 2 wrong flags.",
    ],
    flags: FOLDER_FLAGS,
    load: async () => (await import("./tools/open.js")).open,
  }),
  defineCommand({
    name: "pair",
    usage: "pair [CODE [--scope SCOPE] [--name NAME] | CODE --refuse]",
    summary: "approve phones, programs and browser extensions",
    description: [
      "Without a code, lists pairing requests. With the code from the other device, creates its key, or",
      "allows the extension to report. Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: FOLDER_FLAGS,
    load: async () => (await import("./tools/pair.js")).pair,
  }),
  defineCommand({
    name: "init",
    usage: "init --framework NAME [--to DIR] [--yes] | --list",
    summary: "add the server to a project with a web framework",
    description: [
      "Shows the files of the framework's page in docs/embedding, asks, and writes those that the project",
      "lacks. Never changes an existing file: shows the lines that it lacks. --list names all frameworks.",
      "Exit code: 0 success, 1 refused or failed, 2 wrong flags.",
    ],
    flags: OUTPUT_FLAGS,
    load: async () => (await import("./tools/init.js")).init,
  }),
];

/**
 * Finds the command at the start of the command line.
 *
 * @returns `undefined` if it starts a server
 * @throws LaunchError for an unknown word
 */
export function findCommand(argv: readonly string[]): Command | undefined {
  const [word = "-"] = argv;
  if (word.startsWith("-")) return undefined;
  const command = COMMANDS.find(({ name }) => name === word);
  if (command !== undefined) return command;
  const names = COMMANDS.map(({ name }) => name);
  const meant = closest(word, names);
  const advice = meant === undefined ? `commands are ${names.join(", ")}` : `did you mean ${meant}?`;
  throw usageError(`unexpected argument '${printable(word)}'; ${advice}`);
}
