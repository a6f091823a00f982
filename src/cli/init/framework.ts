import { readdirSync, readFileSync } from "node:fs";

/** A framework with a page in docs/embedding, and the files that the page shows. */
export interface Framework {
  /** The name of its page without the suffix. */
  readonly name: string;
  readonly title: string;
  /** Relative to the package. */
  readonly page: string;
  /** Shell commands that install, build and start, from the page. */
  readonly commands: readonly string[];
  readonly files: readonly FrameworkFile[];
}

export interface FrameworkFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The path of a shown file on its own line, then the first line of its block. */
const SHOWN_FILE = /^`([^`\n]+)`\n\n```\w+$/gm;

/** Reads the frameworks in the docs folder of this repository. Pages without an example are not frameworks. */
export function readFrameworks(docs: URL): Framework[] {
  const files = readdirSync(new URL("embedding/", docs)).filter((name) => name.endsWith(".md"));
  const names = files.map((name) => name.slice(0, -".md".length)).sort();
  return names.flatMap((name) => {
    const page = readFileSync(new URL(`embedding/${name}.md`, docs), "utf8");
    const [, example] = /\]\(\.\.\/examples\/([\w-]+)\)/.exec(page) ?? [];
    if (example === undefined) return [];
    const head = page.slice(0, page.search(SHOWN_FILE));
    return {
      name,
      title: /^# (.*)$/m.exec(page)?.[1] ?? name,
      page: `docs/embedding/${name}.md`,
      commands: [...head.matchAll(/^ {4}(.+)$/gm)].map(([, command]) => command as string),
      files: [...page.matchAll(SHOWN_FILE)].map(([, path = ""]) => ({
        path,
        text: readFileSync(new URL(`examples/${example}/${path}`, docs), "utf8"),
      })),
    };
  });
}
