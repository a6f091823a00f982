import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { formatUrl, isAnyHost, isLoopbackHost, listUrls, parseHost } from "../../src/cli/address.js";
import { isRequested, isSwitchOn, readSettings, unknownVariableWarnings } from "../../src/cli/arguments.js";
import { closest } from "../../src/cli/closest.js";
import { defaultDataFolder, formatBytes, quoteForShell } from "../../src/cli/data-folder.js";
import { environmentName, FLAGS } from "../../src/cli/flags.js";
import { formatHelp } from "../../src/cli/help.js";
import { LaunchError } from "../../src/cli/launch-error.js";
import { checkOptions, type LaunchOptions } from "../../src/cli/options.js";

const test = suite("launcher options");

async function options(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<LaunchOptions> {
  return checkOptions(readSettings(words, env));
}

async function refusal(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<LaunchError> {
  try {
    await options(words, env);
  } catch (error) {
    if (error instanceof LaunchError) return error;
    throw error;
  }
  throw new Error(`accepted: ${words.join(" ")}`);
}

test("without flags it is LevelDB on 127.0.0.1:5600, for this machine only", async () => {
  const { data, ...rest } = await options([]);
  assert.is(data, defaultDataFolder({ testing: false }));
  assert.equal(rest, {
    host: "127.0.0.1",
    port: 5600,
    socketPath: undefined,
    tls: undefined,
    testing: false,
    storage: "leveldb",
    encryptionKey: undefined,
    databaseUrl: undefined,
    namespace: "default",
    durability: "process-crash",
    apiKeyFile: undefined,
    auth: undefined,
    insecure: false,
    sessionCookieAlone: false,
    allowedHosts: [],
    strictPermissions: false,
    cors: [],
    corsRegex: [],
    webui: true,
    mcp: false,
    open: false,
    verbose: false,
    json: false,
    qr: false,
    clipboard: false,
    unusedWarnings: [],
    trashDays: undefined,
    memoryBudgetBytes: undefined,
  });
});

test("testing mode has a port and a data folder of its own, unless flags name others", async () => {
  const plain = await options(["--testing"]);
  assert.is(plain.port, 5666);
  assert.is(plain.data, defaultDataFolder({ testing: true }));
  assert.is.not(plain.data, defaultDataFolder({ testing: false }));
  const named = await options(["--testing", "--port", "1234", "--data", "/d"]);
  assert.is(named.port, 1234);
  assert.is(named.data, resolve("/d"));
});

/** Each flag with a value that is not its default, and what becomes of it. */
const GIVEN: readonly [flag: string, value: string | true, field: keyof LaunchOptions, read: unknown][] = [
  ["host", "::1", "host", "::1"],
  ["port", "8080", "port", 8080],
  ["data", "/some/where", "data", resolve("/some/where")],
  ["storage", "memory", "storage", "memory"],
  ["durability", "power-loss", "durability", "power-loss"],
  ["namespace", "team", "namespace", "team"],
  ["testing", true, "testing", true],
  ["api-key-file", "/key", "apiKeyFile", resolve("/key")],
  ["webui", "/web", "webui", resolve("/web")],
  ["mcp", true, "mcp", true],
  ["cors", "http://a:1, https://b", "cors", ["http://a:1", "https://b"]],
  ["cors-regex", "https://(a|b)", "corsRegex", ["https://(a|b)"]],
  ["verbose", true, "verbose", true],
  ["json", true, "json", true],
  ["qr", true, "qr", true],
  ["clipboard", true, "clipboard", true],
  ["open", true, "open", true],
  ["auth", "required", "auth", "required"],
  ["insecure", true, "insecure", true],
  ["session-cookie-alone", true, "sessionCookieAlone", true],
  ["allowed-hosts", "Desk.example, ::1,10.0.0.1", "allowedHosts", ["desk.example", "[::1]", "10.0.0.1"]],
  ["strict-permissions", true, "strictPermissions", true],
  ["socket", "/run/s", "socketPath", resolve("/run/s")],
  ["trash-days", "7", "trashDays", 7],
  ["memory-budget", "64", "memoryBudgetBytes", 64 * 1024 * 1024],
];

test("TLS is asked for with a certificate of its own or a given one", async () => {
  const files = { certFile: resolve("/c"), keyFile: resolve("/k") };
  const env = { ACTIVITY_SERVER_TLS_CERT: "/c", ACTIVITY_SERVER_TLS_KEY: "/k" };
  assert.is((await options(["--tls"])).tls, "self-made");
  assert.is((await options([], { ACTIVITY_SERVER_TLS: "1" })).tls, "self-made");
  assert.is((await options(["--no-tls"], { ACTIVITY_SERVER_TLS: "1" })).tls, undefined);
  assert.equal((await options(["--tls-cert", "/c", "--tls-key=/k"])).tls, files);
  assert.equal((await options(["--tls"], env)).tls, files);
  assert.equal((await options([], env)).tls, files);
  const { unusedWarnings } = await options(["--tls", "--tls-cert", "/c", "--tls-key=/k"]);
  assert.equal(unusedWarnings, ["--tls has no effect with --tls-cert"]);
  assert.match((await refusal(["--tls-cert", "/c"])).message, "--tls-cert needs --tls-key FILE as well");
  assert.is((await refusal([], { ACTIVITY_SERVER_TLS_KEY: "/k" })).exitCode, 2);
});

test("what a socket, or JSON, does not have is said to have no effect", async () => {
  const { host, open, qr, unusedWarnings } = await options(["--socket", "/s", "--host", "0.0.0.0", "--open", "--qr"]);
  assert.equal([host, open, qr], ["127.0.0.1", false, false]);
  const names = ["--host", "--open", "--qr"];
  assert.equal(
    unusedWarnings,
    names.map((name) => `${name} has no effect with a socket`),
  );
  assert.equal((await options(["--json", "--qr"])).unusedWarnings, ["--qr has no effect with --json"]);
  assert.match((await refusal(["--socket", "/s", "--tls"])).message, "--socket does not support TLS");
});

test("the web interface can be switched off, and a folder of that name still be served", async () => {
  assert.is((await options(["--webui", "off"])).webui, false);
  assert.is((await options(["--webui", "./off"])).webui, resolve("off"));
});

test("the table below covers every flag", () => {
  const elsewhere = "encryption-key encryption-key-file database-url tls tls-cert tls-key help version".split(" ");
  assert.equal([...GIVEN.map(([flag]) => flag), ...elsewhere].sort(), FLAGS.map(({ name }) => name).sort());
});

for (const [flag, value, field, read] of GIVEN) {
  test(`--${flag} is read from the command line and from the environment, and the flag wins`, async () => {
    const variable = environmentName(FLAGS.find(({ name }) => name === flag) as (typeof FLAGS)[number]);
    assert.is(variable, `ACTIVITY_SERVER_${flag.toUpperCase().replaceAll("-", "_")}`);
    const written =
      value === true
        ? [[`--${flag}`], [`--${flag}=true`], [`--${flag}=1`]]
        : [[`--${flag}`, value], [`--${flag}=${value}`]];
    for (const words of written) assert.equal((await options(words))[field], read, words.join(" "));
    for (const text of value === true ? ["1", "true", "TRUE"] : [value, ` ${value}\n`]) {
      assert.equal((await options([], { [variable]: text }))[field], read, text);
    }
    const byDefault = (await options([]))[field];
    assert.equal((await options([], { [variable]: "" }))[field], byDefault);
    if (value === true) {
      assert.is((await options([`--no-${flag}`], { [variable]: "1" }))[field], false);
      assert.is((await options([`--${flag}=0`], { [variable]: "1" }))[field], false);
      assert.is((await options([`--${flag}`], { [variable]: "false" }))[field], true);
    } else {
      const other =
        {
          ...{ host: "localhost", port: "1", storage: "leveldb", durability: "process-crash" },
          ...{ "trash-days": "1", "memory-budget": "1" },
        }[flag] ?? "http://c";
      assert.equal((await options([`--${flag}`, value], { [variable]: other }))[field], read);
    }
  });
}

test("of a repeated flag the last counts; repeated origins and patterns add up", async () => {
  assert.is((await options(["--port", "1", "--port=2"])).port, 2);
  assert.is((await options(["--testing", "--no-testing"])).testing, false);
  assert.equal((await options(["--cors", "http://a", "--cors=http://b,http://a"])).cors, ["http://a", "http://b"]);
  assert.equal((await options(["--cors-regex", "a,b", "--cors-regex=c{1,2}"])).corsRegex, ["a,b", "c{1,2}"]);
  assert.equal((await options([], { ACTIVITY_SERVER_CORS_REGEX: "a,b\nc{1,2}\n" })).corsRegex, ["a,b", "c{1,2}"]);
});

test("words after -- are no flags", async () => {
  const flags = [
    ...FLAGS,
    ...["name", "target"].map((name) => ({ name, kind: "text", help: "", isOperand: true }) as const),
  ];
  const settings = readSettings(["--port=1", "--", "-h", "--"], {}, flags);
  assert.equal([...settings].map(([name, { value }]) => [name, value]).sort(), [
    ["name", "-h"],
    ["port", "1"],
    ["target", "--"],
  ]);
  assert.is(isRequested("help", ["buckets", "--", "-h"]), false);
  assert.is(isSwitchOn("json", ["buckets", "--", "--json"], {}), false);
  assert.is((await options(["--port=1", "--"])).port, 1);
});

const MALFORMED: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [["--prot", "1"], /^unknown flag --prot; did you mean --port\?$/],
  [["--apikeyfile=x"], /did you mean --api-key-file\?$/],
  [["--corsRegex", "x"], /^unknown flag --corsRegex; did you mean --cors-regex\?$/],
  [["--durabilty"], /did you mean --durability\?$/],
  [["-p", "1"], /^unknown flag -p; /],
  [["--zzzzzzzz"], /^unknown flag --zzzzzzzz; see --help$/],
  [["--no-prot"], /^unknown flag --no-prot; /],
  [["--no-port"], /^--no-port: only switches can be negated$/],
  [["--", "--testing"], /^unexpected argument '--testing'; use flags, see --help$/],
  [["serve"], /^unexpected argument 'serve'/],
  [["--testing", "yes"], /^unexpected argument 'yes'/],
  [["--testing=yes"], /^--testing must be 1, true, 0 or false, got 'yes'$/],
  [["--port"], /^--port needs a value/],
  [["--port="], /^--port needs a value/],
  [["--port", "--testing"], /^--port needs a value/],
  [["--data", ""], /^--data needs a value/],
  [["--memory-budget", "0"], /^--memory-budget must be a number of MiB \(1 to 999999\), got '0'$/],
  [["--memory-budget", "64MB"], /must be a number of MiB/],
  [["--port", "65536"], /^--port must be a port \(0 to 65535\), got '65536'$/],
  [["--port", "-1"], /^--port must be a port .*, got '-1'$/],
  [["--port", "80.5"], /must be a port/],
  [["--port", "5e3"], /must be a port/],
  [["--port", "0x50"], /must be a port/],
  [["--port", "http"], /must be a port/],
  [["--port", "99999999999999999999"], /must be a port/],
  [["--host", "a b"], /^--host must be a host name or address, got 'a b'$/],
  [["--host", "http://localhost"], /must be a host/],
  [["--host", "localhost:5600"], /must be a host/],
  [["--auth", "always"], /^--auth must be optional or required, got 'always'$/],
  [["--storage", "sqlite"], /^--storage must be leveldb, memory or postgres, got 'sqlite'$/],
  [["--durability", "fsync"], /^--durability must be process-crash or power-loss, got 'fsync'$/],
  [["--allowed-hosts", "desk.example:5600"], /^--allowed-hosts must be a host name .*, got 'desk.example:5600'$/],
  [["--allowed-hosts", "desk,,lap"], /must be a host name/],
  [["--cors", "localhost"], /must be an origin/],
  [["--cors", "http://a/"], /must be an origin/],
  [["--cors", "http://a,,http://b"], /must be an origin/],
  [["--cors-regex", "("], /^--cors-regex must be a regular expression, got '\('$/],
  [["--cors-regex", "a)|(b"], /must be a regular expression/],
  [["--data", "a\0b"], /must be a path/],
  [["--b\u001b[31mad"], /^unknown flag --b\?\[31mad; /],
];
for (const [words, message] of MALFORMED) {
  test(`${JSON.stringify(words.join(" "))} is refused in one line as wrong usage`, async () => {
    const error = await refusal(words);
    assert.match(error.message, message);
    assert.not.match(error.message, /\n/);
    assert.is(error.exitCode, 2);
  });
}

test("a malformed variable is named in the refusal", async () => {
  const error = await refusal([], { ACTIVITY_SERVER_PORT: "http" });
  assert.is(error.message, "ACTIVITY_SERVER_PORT must be a port (0 to 65535), got 'http'");
  assert.is(error.exitCode, 2);
  const wrongSwitch = await refusal([], { ACTIVITY_SERVER_TESTING: "on" });
  assert.is(wrongSwitch.message, "ACTIVITY_SERVER_TESTING must be 1, true, 0 or false, got 'on'");
});

test("a variable that only looks like ours is worth a warning", () => {
  assert.equal(unknownVariableWarnings({ PATH: "x", ACTIVITY_SERVER_PORT: "1" }), []);
  const [missing, ...rest] = unknownVariableWarnings({ ACTIVITY_SERVER_API_KEY: "secret" });
  assert.match(missing ?? "", /ACTIVITY_SERVER_API_KEY is unknown; did you mean ACTIVITY_SERVER_API_KEY_FILE\?/);
  assert.not.match(missing ?? "", /secret/);
  assert.equal(rest, []);
});

test("whether output is JSON is known before the flags are checked", () => {
  assert.is(isSwitchOn("json", ["--bogus", "--json"], {}), true);
  assert.is(isSwitchOn("json", ["--json=0"], { ACTIVITY_SERVER_JSON: "1" }), false);
  assert.is(isSwitchOn("json", ["--json", "--no-json"], {}), false);
  assert.is(isSwitchOn("json", [], { ACTIVITY_SERVER_JSON: "1" }), true);
  assert.is(isSwitchOn("verbose", ["--json"], {}), false);
});

const HOSTS: readonly [host: string, loopback: boolean, any: boolean][] = [
  ["127.0.0.1", true, false],
  ["127.8.9.10", true, false],
  ["::1", true, false],
  ["localhost", true, false],
  ["0.0.0.0", false, true],
  ["::", false, true],
  ["0:0:0:0:0:0:0:0", false, true],
  ["192.168.0.1", false, false],
  ["128.0.0.1", false, false],
  ["127.1", false, false],
  ["127.evil.example", false, false],
  ["localhost.evil.example", false, false],
  ["::ffff:127.0.0.1", false, false],
  ["fd00::1", false, false],
];
for (const [host, loopback, any] of HOSTS) {
  test(`${host} ${loopback ? "stays on this machine" : "needs a key or --insecure"}`, async () => {
    assert.is(isLoopbackHost(host), loopback);
    assert.is(isAnyHost(host), any);
    if (loopback) {
      assert.is((await options(["--host", host])).host, host);
    } else {
      const error = await refusal(["--host", host]);
      assert.match(error.message, /require a key with --auth required or --api-key-file FILE.*--insecure/);
      assert.is(error.exitCode, 1);
      assert.is((await options(["--host", host, "--insecure"])).host, host);
      assert.is((await options(["--host", host, "--api-key-file", "k"])).host, host);
      assert.is((await options(["--host", host, "--auth", "required"])).host, host);
    }
  });
}

test("a key file that is optional is a contradiction", async () => {
  const { message } = await refusal(["--auth", "optional", "--api-key-file", "k"]);
  assert.match(message, /--auth optional contradicts --api-key-file/);
});

test("hosts are read in any letter case and with brackets", () => {
  assert.is(parseHost("LocalHost"), "localhost");
  assert.is(parseHost("[::1]"), "::1");
  for (const bad of ["", "fe80::1%eth0", "a:b", "-a", "a_b", "[", "user@host", "x".repeat(64)]) {
    assert.is(parseHost(bad), undefined, bad);
  }
});

test("URLs put IPv6 addresses in brackets and name an address that can be reached", () => {
  assert.is(formatUrl("::1", 5600), "http://[::1]:5600");
  assert.equal(listUrls("127.0.0.1", 1), ["http://127.0.0.1:1"]);
  assert.is(listUrls("0.0.0.0", 1)[0], "http://127.0.0.1:1");
  assert.is(listUrls("::", 1)[0], "http://[::1]:1");
});

test("each platform has its own data folder", () => {
  const home = "/home/u";
  const place = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv, testing = false) =>
    defaultDataFolder({ testing, platform, env, home });
  assert.is(place("linux", {}), "/home/u/.local/share/activity-server");
  assert.is(place("linux", {}, true), "/home/u/.local/share/activity-server-testing");
  assert.is(place("linux", { XDG_DATA_HOME: "/x" }), "/x/activity-server");
  assert.is(place("linux", { XDG_DATA_HOME: "relative" }), "/home/u/.local/share/activity-server");
  assert.is(place("darwin", { XDG_DATA_HOME: "/x" }), "/home/u/Library/Application Support/activity-server");
  assert.is(place("win32", { LOCALAPPDATA: "C:\\L" }), "C:\\L\\activity-server");
  assert.is(place("win32", { LOCALAPPDATA: "C:\\L" }, true), "C:\\L\\activity-server-testing");
});

test("a leading ~ is the home folder, also where shells leave it alone", async () => {
  assert.is((await options(["--data=~/x"])).data, join(homedir(), "x"));
  assert.is((await options(["--data", "~other"])).data, resolve("~other"));
});

const DATABASE = { ACTIVITY_SERVER_DATABASE_URL: "postgres://user:secret@host/base" };

test("PostgreSQL has no data folder, takes its URL from the environment, and survives a power loss", async () => {
  const found = await options(["--storage", "postgres"], DATABASE);
  assert.is(found.databaseUrl, DATABASE.ACTIVITY_SERVER_DATABASE_URL);
  assert.equal([found.data, found.namespace, found.durability], [undefined, "default", "power-loss"]);
  assert.is(
    (await options(["--storage", "postgres", "--durability", "process-crash"], DATABASE)).durability,
    "process-crash",
  );
  assert.is((await options([], DATABASE)).databaseUrl, undefined, "it is for that storage only");
});

test("a database URL is needed, is no flag, and is never shown", async () => {
  const cases: readonly [words: string[], env: Record<string, string>, message: RegExp][] = [
    [["--storage", "postgres"], {}, /needs ACTIVITY_SERVER_DATABASE_URL/],
    [["--storage", "postgres"], { ACTIVITY_SERVER_DATABASE_URL: "http://secret" }, /must be the URL of a database/],
    [["--database-url", "postgres://secret"], {}, /set ACTIVITY_SERVER_DATABASE_URL instead/],
  ];
  for (const [words, env, message] of cases) {
    const error = await options(words, env).catch((thrown: Error) => thrown);
    assert.instance(error, Error);
    assert.match((error as Error).message, message);
    assert.not.match((error as Error).message, /secret/);
  }
});

test("what has no effect in memory is remembered for a warning", async () => {
  const { data, unusedWarnings } = await options(["--storage", "memory", "--data", "x"], {
    ACTIVITY_SERVER_DURABILITY: "power-loss",
  });
  assert.is(data, undefined);
  const end = "has no effect with memory storage";
  assert.equal(unusedWarnings, [`--data ${end}`, `ACTIVITY_SERVER_DURABILITY ${end}`]);
});

test("the help names every flag, its variable and its default within 100 columns", () => {
  const lines = formatHelp().split("\n");
  for (const line of lines) assert.ok(line.length <= 100, line);
  for (const flag of FLAGS) {
    const shown = flag.environmentOnly ? environmentName(flag) : `--${flag.name}`;
    const at = lines.findIndex((line) => line.includes(` ${shown}`) && line.startsWith("  "));
    assert.ok(at >= 0, flag.name);
    const told = lines[flag.environmentOnly ? at + 1 : at] as string;
    if (flag.byDefault !== undefined) assert.match(told, `[${flag.byDefault}]`);
    if (!flag.commandLineOnly && !flag.environmentOnly) assert.match(lines[at + 1] as string, environmentName(flag));
  }
});

test("a mistyped word leads to the closest known one, and a strange one to none", () => {
  const words = ["port", "host", "storage"];
  assert.is(closest("prot", words), "port");
  assert.is(closest("storge", words), "storage");
  assert.is(closest("sto", words), "storage");
  assert.is(closest("quite-another", words), undefined);
});

test("sizes are printed for people", () => {
  const sizes = [0, 999, 1000, 1234, 99_949, 99_950, 999_499, 999_500, 5_000_000_000].map(formatBytes);
  assert.equal(sizes, ["0 B", "999 B", "1.0 kB", "1.2 kB", "99.9 kB", "100 kB", "999 kB", "1.0 MB", "5.0 GB"]);
});

test("paths come as one word of a shell", () => {
  assert.is(quoteForShell("/a/b-c.d", "linux"), "/a/b-c.d");
  assert.is(quoteForShell("/a b/it's", "linux"), `'/a b/it'\\''s'`);
  assert.is(quoteForShell(String.raw`C:\my data`, "win32"), String.raw`"C:\my data"`);
  assert.is(quoteForShell(String.raw`C:\my "data\\`, "win32"), String.raw`"C:\my \"data\\\\"`);
});

test.run();
