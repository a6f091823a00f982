import { homedir } from "node:os";
import { sep } from "node:path";
import type { Command } from "./command.js";
import { COMMANDS } from "./commands.js";
import { defaultDataFolder } from "./data-folder.js";
import { environmentName, FLAG_GROUPS, type Flag } from "./flags.js";

const INDENT = "  ";

/** The help text: every flag with its default and its environment variable, for terminals of 100 columns. */
export function formatHelp(): string {
  const lines = [
    "activity-server: collects and queries computer activity, compatible with ActivityWatch",
    "",
    "Usage: activity-server [FLAGS]        in a checkout: npm start -- [FLAGS]",
    "       activity-server COMMAND --help",
    "",
    "Commands (instead of a server)",
    ...COMMANDS.map(({ name, summary }) => `${INDENT}${name.padEnd(12)}${summary}`),
  ];
  for (const { title, flags } of FLAG_GROUPS) {
    lines.push("", title);
    for (const flag of flags) lines.push(...formatFlag(flag));
  }
  lines.push(
    "",
    "Below each flag is its environment variable. A flag overrides its variable. Boolean variables",
    "accept 1, true, 0 and false, and --no-NAME turns a flag off. ACTIVITY_SERVER_CORS_REGEX contains",
    "one pattern per line.",
    "",
    "Data folder",
    ...dataFolders(),
    "",
    "Exit code: 0 after a signal, 1 cannot run, 2 wrong flags.",
  );
  return lines.join("\n");
}

/** The help text of a command. */
export function formatCommandHelp({ usage, description: about, flags }: Command): string {
  const hasOperands = flags.some(({ isOperand }) => isOperand);
  return [
    `Usage: activity-server ${usage}`,
    "",
    ...about,
    "",
    ...flags.filter(({ isOperand }) => !isOperand).flatMap(formatFlag),
    ...(hasOperands ? [`${INDENT}${"    --".padEnd(24)}  accept words that start with - after it, such as IDs`] : []),
    ...(flags.some(({ name }) => name === "data") ? ["", "Data folder", ...dataFolders()] : []),
  ].join("\n");
}

function dataFolders(): string[] {
  return [
    `${INDENT}normal   ${withTilde(defaultDataFolder({ testing: false }))}`,
    `${INDENT}testing  ${withTilde(defaultDataFolder({ testing: true }))}`,
  ];
}

function withTilde(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

function formatFlag(flag: Flag): string[] {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  const name = `${short}--${flag.name}${flag.hint === undefined ? "" : ` ${flag.hint}`}`;
  const byDefault = flag.byDefault === undefined ? "" : ` [${flag.byDefault}]`;
  if (flag.environmentOnly)
    return [`${INDENT}    ${environmentName(flag)}`, `${INDENT}${" ".repeat(24)}  ${flag.help}${byDefault}`];
  const lines = [`${INDENT}${name.padEnd(24)}  ${flag.help}${byDefault}`];
  if (!flag.commandLineOnly) lines.push(`${INDENT}${" ".repeat(24)}  ${environmentName(flag)}`);
  return lines;
}
