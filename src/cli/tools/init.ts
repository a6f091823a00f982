import { closest } from "../closest.js";
import type { CommandOptions } from "../command-options.js";
import type { Framework } from "../init/framework.js";
import { FRAMEWORKS } from "../init/frameworks.js";
import { compareWithProject, linesOf, type ProjectFile, writeNew } from "../init/project.js";
import { LaunchError, printable, usageError } from "../launch-error.js";
import { askToConfirm } from "./actions.js";
import type { Report } from "./report.js";

/** Shows the files of a framework's page and writes them into a project. @returns the exit code */
export async function init(options: CommandOptions<"init">, report: Report): Promise<number> {
  if (options.list) {
    for (const { name, title, page } of FRAMEWORKS)
      report.event("framework", { name, title, page }, `${name.padEnd(12)}${title}: ${page}`);
    return 0;
  }
  const framework = findFramework(options.framework);
  const folder = options.to ?? process.cwd();
  const files = await compareWithProject(folder, framework);
  for (const file of files) {
    const { missing: _missing, ...fields } = file;
    report.event("init-file", fields, describeFile(file));
  }
  const news = files.filter(({ state }) => state === "new");
  if (news.length === 0 && files.some(({ state }) => state === "kept"))
    throw new LaunchError("all files exist; add the lines marked + to them");
  if (options.dryRun || !(options.yes || (await askToConfirm(options.streams)))) return 0;
  await writeNew(folder, files);
  report.event("init", { framework: framework.name, folder, ...listOutcome(files) }, formatSummary(framework, files));
  return 0;
}

function findFramework(name: string | undefined): Framework {
  const found = FRAMEWORKS.find((framework) => framework.name === name);
  if (found !== undefined) return found;
  const names = FRAMEWORKS.map((framework) => framework.name);
  const meant = name === undefined ? undefined : closest(name.toLowerCase(), names);
  const got = name === undefined ? "" : `, got '${printable(name)}'`;
  const advice = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw usageError(`--framework must be one of ${names.join(", ")}${got}${advice}`);
}

/** The file for people. The lines that a kept file lacks have a mark. */
function describeFile({ path, text, state, existing, missing }: ProjectFile): string {
  const marked = (line: string) =>
    missing === undefined ? `    ${line}` : `  ${missing.has(line) ? "+" : " "} ${line}`;
  const head = {
    new: path,
    unchanged: `${path} (exists)`,
    kept: `${existing} (exists, stays; lacks the lines marked +)`,
  };
  const body = state === "unchanged" ? [] : ["", ...linesOf(text).map((line) => marked(line).trimEnd()), ""];
  return [head[state], ...body].join("\n");
}

function listOutcome(files: readonly ProjectFile[]): Readonly<Record<"written" | "unchanged" | "kept", string[]>> {
  const paths = (wanted: ProjectFile["state"]): string[] =>
    files.filter(({ state }) => state === wanted).map(({ path, existing }) => existing ?? path);
  return { written: paths("new"), unchanged: paths("unchanged"), kept: paths("kept") };
}

function formatSummary({ commands, page }: Framework, files: readonly ProjectFile[]): string {
  const { written, kept } = listOutcome(files);
  return [
    written.length === 0 ? "All files exist." : `Wrote ${written.join(", ")}.`,
    ...(kept.length === 0 ? [] : [`Add the lines marked + to ${kept.join(", ")}.`]),
    `Then run (${page}):`,
    ...commands.map((command) => `    ${command}`),
  ].join("\n");
}
