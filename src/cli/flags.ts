/** One flag of the launcher: how it is written, what it does without being given, what the help says. */
export interface Flag {
  readonly name: string;
  readonly kind: "text" | "switch";
  /** Stands for the value in the help. */
  readonly hint?: string;
  /** One letter. */
  readonly short?: string;
  readonly help: string;
  /** Shown in the help. */
  readonly byDefault?: string;
  /** Glues the values of a flag that may be given several times; otherwise the last one counts. */
  readonly joinedBy?: string;
  /** Whether it only makes sense on the command line. */
  readonly commandLineOnly?: true;
  /** Whether only its variable is read: process lists show command lines. */
  readonly environmentOnly?: true;
  /** Whether a word without a flag is its value; of several the first word is that of the first. */
  readonly isOperand?: true;
}

export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly Flag[];
}

export const FLAG_GROUPS: readonly FlagGroup[] = [
  {
    title: "Where it listens",
    flags: [
      {
        name: "host",
        kind: "text",
        hint: "HOST",
        help: "address to bind",
        byDefault: "127.0.0.1",
      },
      {
        name: "port",
        kind: "text",
        hint: "PORT",
        help: "0 = any free one",
        byDefault: "5600, testing 5666",
      },
      {
        name: "socket",
        kind: "text",
        hint: "PATH",
        help: "Unix socket to listen on instead, for this user only",
        byDefault: "none",
      },
      {
        name: "tls",
        kind: "switch",
        help: "speak HTTPS, with a certificate of its own",
        byDefault: "off",
      },
      {
        name: "tls-cert",
        kind: "text",
        hint: "FILE",
        help: "speak HTTPS with this certificate (PEM)",
        byDefault: "none",
      },
      {
        name: "tls-key",
        kind: "text",
        hint: "FILE",
        help: "its private key (PEM)",
        byDefault: "none",
      },
    ],
  },
  {
    title: "What it keeps",
    flags: [
      {
        name: "storage",
        kind: "text",
        hint: "KIND",
        help: "leveldb, memory or postgres",
        byDefault: "leveldb",
      },
      {
        name: "data",
        kind: "text",
        hint: "DIR",
        help: "data folder",
        byDefault: "the platform's own",
      },
      {
        name: "encryption-key",
        kind: "text",
        hint: "KEY",
        help: "key that encrypts the data folder",
        byDefault: "none",
        environmentOnly: true,
      },
      {
        name: "encryption-key-file",
        kind: "text",
        hint: "FILE",
        help: "file with the key that encrypts the data folder",
        byDefault: "none",
      },
      {
        name: "durability",
        kind: "text",
        hint: "WHAT",
        help: "acknowledged writes survive process-crash or power-loss",
        byDefault: "by storage",
      },
      {
        name: "database-url",
        kind: "text",
        hint: "URL",
        help: "database of --storage postgres",
        byDefault: "none",
        environmentOnly: true,
      },
      {
        name: "namespace",
        kind: "text",
        hint: "NAME",
        help: "whose data to serve of a database",
        byDefault: "default",
      },
      {
        name: "trash-days",
        kind: "text",
        hint: "DAYS",
        help: "how long what was deleted can be restored; 0 = not at all",
        byDefault: "30",
      },
      {
        name: "testing",
        kind: "switch",
        help: "testing mode: other port, other data folder",
        byDefault: "off",
      },
    ],
  },
  {
    title: "Who may use it",
    flags: [
      {
        name: "api-key-file",
        kind: "text",
        hint: "FILE",
        help: "file with the key to ask for",
        byDefault: "no key",
      },
      {
        name: "auth",
        kind: "text",
        hint: "WHEN",
        help: "a key is optional or required",
        byDefault: "optional, required with a key file",
      },
      {
        name: "cors",
        kind: "text",
        hint: "A,B",
        help: "web origins to trust",
        byDefault: "own pages",
        joinedBy: ",",
      },
      {
        name: "cors-regex",
        kind: "text",
        hint: "R",
        help: "pattern of whole origins to trust; repeatable",
        byDefault: "none",
        joinedBy: "\n",
      },
      {
        name: "allowed-hosts",
        kind: "text",
        hint: "A,B",
        help: "further names of this server, for the Host header",
        byDefault: "its own",
        joinedBy: ",",
      },
      {
        name: "session-cookie-alone",
        kind: "switch",
        help: "risky: other servers of this machine can steal a session",
        byDefault: "off",
      },
      {
        name: "strict-permissions",
        kind: "switch",
        help: "refuse files that others on this machine can read",
        byDefault: "off",
      },
      {
        name: "insecure",
        kind: "switch",
        help: "allow other machines in without a key",
        byDefault: "off",
      },
    ],
  },
  {
    title: "What it shows",
    flags: [
      {
        name: "webui",
        kind: "text",
        hint: "DIR",
        help: "web interface to serve at /, or off for none",
        byDefault: "the dashboard",
      },
      {
        name: "open",
        kind: "switch",
        help: "open it in the browser",
        byDefault: "off",
      },
      {
        name: "qr",
        kind: "switch",
        help: "show the URL as a QR code, for a phone",
        byDefault: "off",
      },
      {
        name: "clipboard",
        kind: "switch",
        help: "copy the URL",
        byDefault: "off",
      },
      {
        name: "verbose",
        kind: "switch",
        help: "log each request, show stack traces",
        byDefault: "off",
      },
      {
        name: "json",
        kind: "switch",
        help: "print JSON lines instead of text",
        byDefault: "off",
      },
      {
        name: "help",
        kind: "switch",
        short: "h",
        help: "show this",
        commandLineOnly: true,
      },
      {
        name: "version",
        kind: "switch",
        short: "v",
        help: "show the version",
        commandLineOnly: true,
      },
    ],
  },
];

export const FLAGS: readonly Flag[] = FLAG_GROUPS.flatMap((group) => group.flags);

export const ENVIRONMENT_PREFIX = "ACTIVITY_SERVER_";

/** The environment variable that says the same as a flag. */
export function environmentName(flag: Flag): string {
  return ENVIRONMENT_PREFIX + flag.name.toUpperCase().replaceAll("-", "_");
}

/** The word closest to a mistyped one, when there is one close enough to be meant. */
export function closest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = candidate.startsWith(word) && word.length > 2 ? 1 : editDistance(word, candidate);
    if (distance >= Math.min(bestDistance, candidate.length)) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const swap = (previous[column - 1] as number) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(swap, (previous[column] as number) + 1, (current[column - 1] as number) + 1));
    }
    previous = current;
  }
  return previous[to.length] as number;
}
