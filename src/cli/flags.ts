/** A flag of the command: its form, default and help. */
export interface Flag {
  readonly name: string;
  readonly kind: "text" | "switch";
  /** The value's name in the help. */
  readonly hint?: string;
  /** One letter. */
  readonly short?: string;
  readonly help: string;
  /** Shown in the help. */
  readonly byDefault?: string;
  /** Joins the values of a repeatable flag. Without it, the last value wins. */
  readonly joinedBy?: string;
  /** Whether it is only accepted on the command line. */
  readonly commandLineOnly?: true;
  /** Whether it is only accepted as a variable: process lists show command lines. */
  readonly environmentOnly?: true;
  /** Whether words without a flag are its values, in order. */
  readonly isOperand?: true;
}

export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly Flag[];
}

export const FLAG_GROUPS: readonly FlagGroup[] = [
  {
    title: "Address",
    flags: [
      {
        name: "host",
        kind: "text",
        hint: "HOST",
        help: "bind to this address",
        byDefault: "127.0.0.1",
      },
      {
        name: "port",
        kind: "text",
        hint: "PORT",
        help: "listen on this port; 0 uses any free port",
        byDefault: "5600, testing 5666",
      },
      {
        name: "socket",
        kind: "text",
        hint: "PATH",
        help: "listen on a Unix socket, for this user only",
        byDefault: "none",
      },
      {
        name: "tls",
        kind: "switch",
        help: "serve HTTPS with a generated certificate",
        byDefault: "off",
      },
      {
        name: "tls-cert",
        kind: "text",
        hint: "FILE",
        help: "serve HTTPS with this certificate (PEM)",
        byDefault: "none",
      },
      {
        name: "tls-key",
        kind: "text",
        hint: "FILE",
        help: "use this private key of the certificate (PEM)",
        byDefault: "none",
      },
    ],
  },
  {
    title: "Storage",
    flags: [
      {
        name: "storage",
        kind: "text",
        hint: "KIND",
        help: "store data in leveldb, memory or postgres",
        byDefault: "leveldb",
      },
      {
        name: "data",
        kind: "text",
        hint: "DIR",
        help: "store data in this folder",
        byDefault: "the platform's own",
      },
      {
        name: "encryption-key",
        kind: "text",
        hint: "KEY",
        help: "encrypt the data folder with this key",
        byDefault: "none",
        environmentOnly: true,
      },
      {
        name: "encryption-key-file",
        kind: "text",
        hint: "FILE",
        help: "encrypt the data folder with the key in this file",
        byDefault: "none",
      },
      {
        name: "durability",
        kind: "text",
        hint: "WHAT",
        help: "make writes survive process-crash or power-loss",
        byDefault: "by storage",
      },
      {
        name: "database-url",
        kind: "text",
        hint: "URL",
        help: "use this database for --storage postgres",
        byDefault: "none",
        environmentOnly: true,
      },
      {
        name: "namespace",
        kind: "text",
        hint: "NAME",
        help: "use this namespace of the database",
        byDefault: "default",
      },
      {
        name: "trash-days",
        kind: "text",
        hint: "DAYS",
        help: "keep deleted data for this many days; 0 turns the trash off",
        byDefault: "30",
      },
      {
        name: "memory-budget",
        kind: "text",
        hint: "MIB",
        help: "limit the memory of all caches, in MiB",
        byDefault: "128",
      },
      {
        name: "testing",
        kind: "switch",
        help: "use the port and data folder for testing",
        byDefault: "off",
      },
    ],
  },
  {
    title: "Access",
    flags: [
      {
        name: "api-key-file",
        kind: "text",
        hint: "FILE",
        help: "require the key in this file",
        byDefault: "no key",
      },
      {
        name: "auth",
        kind: "text",
        hint: "WHEN",
        help: "require keys: optional or required",
        byDefault: "optional, required with a key file",
      },
      {
        name: "cors",
        kind: "text",
        hint: "A,B",
        help: "trust these web origins",
        byDefault: "own pages",
        joinedBy: ",",
      },
      {
        name: "cors-regex",
        kind: "text",
        hint: "R",
        help: "trust origins that match completely; repeatable",
        byDefault: "none",
        joinedBy: "\n",
      },
      {
        name: "allowed-hosts",
        kind: "text",
        hint: "A,B",
        help: "accept these names in the Host header as well",
        byDefault: "its own",
        joinedBy: ",",
      },
      {
        name: "session-cookie-alone",
        kind: "switch",
        help: "accept cookies alone; other local servers can steal them",
        byDefault: "off",
      },
      {
        name: "strict-permissions",
        kind: "switch",
        help: "refuse files that other users can read",
        byDefault: "off",
      },
      {
        name: "insecure",
        kind: "switch",
        help: "allow access from other machines without a key",
        byDefault: "off",
      },
    ],
  },
  {
    title: "Interface and output",
    flags: [
      {
        name: "webui",
        kind: "text",
        hint: "DIR",
        help: "serve this web interface at /, or off",
        byDefault: "the dashboard",
      },
      {
        name: "mcp",
        kind: "switch",
        help: "let assistants call /mcp",
        byDefault: "off",
      },
      {
        name: "open",
        kind: "switch",
        help: "open the dashboard in the browser",
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
        help: "copy the URL to the clipboard",
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
        help: "print JSON lines",
        byDefault: "off",
      },
      {
        name: "help",
        kind: "switch",
        short: "h",
        help: "show this help",
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

/** The environment variable for a flag. */
export function environmentName(flag: Flag): string {
  return ENVIRONMENT_PREFIX + flag.name.toUpperCase().replaceAll("-", "_");
}
