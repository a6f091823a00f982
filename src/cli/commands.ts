import { type Command, define, FOLDER, KEY, known, PLACE } from "./command.js";
import { closest } from "./flags.js";
import { printable, usageError } from "./launch-error.js";

/** Everything but starting a server. */
export const COMMANDS: readonly Command[] = [
  define({
    name: "import",
    usage: "import [--from PATH] [--data DIR | --storage postgres]",
    summary: "take over the data of ActivityWatch, WakaTime and others",
    about: [
      "Without --from it looks where aw-server and aw-server-rust keep their databases, shows what it",
      "finds and asks. A database is copied before it is read, and never changed. What is there already",
      "is recognized, so an import that breaks off, or is done twice, goes on where it was. A running",
      "server is asked to take it; a folder that no server uses is opened, or made.",
      "Exit code: 0 done, 1 something could not be read or failed, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/import.js")).importData,
  }),
  define({
    name: "verify",
    usage: "verify [--data DIR | --storage postgres]",
    summary: "check everything that is stored",
    about: [
      "Reads everything in the data folder and checks it. A running server is asked to do it; a folder",
      "that no server uses is opened. A database is opened itself, whether servers use it or not.",
      "Exit code: 0 sound, 1 damaged, or cannot be opened, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/verify.js")).verify,
  }),
  define({
    name: "salvage",
    usage: "salvage --to DIR [--data DIR]",
    summary: "save what can be read of a damaged data folder into a new one",
    about: [
      "Reads what can be read of a damaged folder, also of one that no longer opens, and writes it into",
      "a new folder. The damaged one is not changed. Events whose bucket is lost go to buckets named",
      "recovered-.... Says what was lost. No server may use the folder.",
      "Exit code: 0 nothing was lost, 1 something was lost or failed, 2 wrong flags.",
    ],
    flags: [...KEY, ...FOLDER],
    load: async () => (await import("./tools/salvage.js")).salvage,
  }),
  define({
    name: "encrypt",
    usage: "encrypt --to DIR --new-key-file FILE [--data DIR]",
    summary: "copy a data folder into a new one that is encrypted",
    about: [
      "Copies everything, plain or encrypted with another key, into a new folder with keys of its own.",
      "The old folder is not changed: remove it when the new one is in use. No server may use it.",
      "Exit code: 0 copied, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [...KEY, ...FOLDER],
    load: async () => (await import("./tools/encrypt.js")).encrypt,
  }),
  define({
    name: "rotate-key",
    usage: "rotate-key --new-key-file FILE --encryption-key-file FILE [--data DIR]",
    summary: "let another key open an encrypted data folder",
    about: [
      "From then on the new key alone opens the folder; the data are not rewritten. If it is cut off, one",
      "of the two keys opens the folder. A running server goes on, and needs the new key at its next",
      "start. Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: [...KEY, ...FOLDER],
    load: async () => (await import("./tools/rotate-key.js")).rotateKey,
  }),
  define({
    name: "backup",
    usage: "backup --to FILE [--data DIR | --storage postgres]",
    summary: "write a backup, also while a server is running",
    about: [
      "Writes one consistent state of everything: buckets, events with their ids, settings, device id.",
      "The file holds JSON lines, with a checksum in the last one; it is compressed when its name ends",
      "in .gz. Running servers go on. Of a database it holds one namespace. The file restores into any",
      "storage. Exit code: 0 written and checked, 1 failed, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/backup.js")).backup,
  }),
  define({
    name: "restore",
    usage: "restore FILE [--data DIR | --storage postgres] [--merge]",
    summary: "make a data folder from a backup, or fill a database",
    about: [
      "Checks the backup to its end, then makes the data folder of it, or fills the namespace of a",
      "database. Folder or namespace must be new or empty, unless --merge is given.",
      "Exit code: 0 restored, 1 refused or failed, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/restore.js")).restore,
  }),
  define({
    name: "keys",
    usage: "keys add NAME --scope SCOPE [--expires WHEN] [--origin URL] | list | revoke NAME",
    summary: "make, list and revoke keys that open the API",
    about: [
      "A scope is read:GLOB, append:GLOB, write:GLOB or admin; GLOB is a bucket id in which * stands for",
      "any text. A new key is shown this once. A running server is asked to do it, and heeds it at once;",
      "the servers of a database heed it within three seconds.",
      "Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: PLACE,
    load: async () => (await import("./tools/keys.js")).ACTIONS,
  }),
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
    load: async () => (await import("./tools/buckets.js")).ACTIONS,
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
    load: async () => (await import("./tools/events.js")).ACTIONS,
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
    load: async () => (await import("./tools/privacy.js")).ACTIONS,
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
    load: async () => (await import("./tools/trash.js")).ACTIONS,
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
    load: async () => (await import("./tools/retention.js")).ACTIONS,
  }),
  define({
    name: "open",
    usage: "open [--print] [--data DIR]",
    summary: "open the page of a running server, signed in",
    about: [
      "Asks the running server for a link that signs in once, within a minute, and opens it in the",
      "browser. Exit code: 0 done, 1 no server is running, or it refused, 2 wrong flags.",
    ],
    flags: FOLDER,
    load: async () => (await import("./tools/open.js")).open,
  }),
  define({
    name: "pair",
    usage: "pair [CODE [--scope SCOPE] [--name NAME] | CODE --refuse]",
    summary: "answer phones, programs and browser extensions that ask to be let in",
    about: [
      "Without a code it lists who asks. With the code that the other device shows it lets that one have",
      "a key, or the extension report. Exit code: 0 done, 1 refused or failed, 2 wrong flags.",
    ],
    flags: FOLDER,
    load: async () => (await import("./tools/pair.js")).pair,
  }),
];

/**
 * The command that the command line begins with.
 *
 * @returns `undefined` when it starts a server
 * @throws LaunchError for a word that is none
 */
export function commandOf(argv: readonly string[]): Command | undefined {
  const [word = "-"] = argv;
  if (word.startsWith("-")) return undefined;
  const command = COMMANDS.find(({ name }) => name === word);
  if (command !== undefined) return command;
  const names = COMMANDS.map(({ name }) => name);
  const meant = closest(word, names);
  const advice = meant === undefined ? `commands are ${names.join(", ")}` : `did you mean ${meant}?`;
  throw usageError(`unexpected argument '${printable(word)}'; ${advice}`);
}
