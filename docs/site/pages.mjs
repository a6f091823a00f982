import fs from "node:fs";
import path from "node:path";

/** Pages outside of docs. */
const OTHER_PAGES = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "bench/README.md",
  "bench/ROWS.md",
  "bench/RESULTS.md",
];
const EXAMPLES = "docs/examples/";
const LINK = /(\]\()([^)#\s]+)(#[^)\s]*)?(\))/g;
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;

/** Copies the pages to where they stand in the repository, so that their links hold, and makes one of each example. */
export function copyPages(project, pages) {
  const files = filesOf(project, "docs").filter((file) => !file.startsWith("docs/site/"));
  for (const file of [...OTHER_PAGES, ...files.filter((file) => !file.startsWith(EXAMPLES))]) {
    const content = fs.readFileSync(path.join(project, file));
    write(path.join(pages, indexOf(file)), file.endsWith(".md") ? withLinks(String(content), file, project) : content);
  }
  const examples = fs.readdirSync(path.join(project, EXAMPLES));
  for (const name of examples) {
    write(path.join(pages, EXAMPLES, name, "index.md"), examplePage(project, EXAMPLES + name));
  }
  const links = examples.map((name) => `- [${name}](${name}/index.md)`);
  write(path.join(pages, EXAMPLES, "index.md"), `# Examples\n\n${links.join("\n")}\n`);
}

function filesOf(project, folder) {
  return fs
    .readdirSync(path.join(project, folder), { recursive: true })
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")))
    .filter((file) => !file.includes("/node_modules/") && fs.statSync(path.join(project, file)).isFile())
    .sort();
}

/** The README of an example, and all of its files. */
function examplePage(project, folder) {
  const files = filesOf(project, folder).filter((file) => file !== `${folder}/README.md`);
  const readme = path.join(project, folder, "README.md");
  const head = fs.existsSync(readme)
    ? withLinks(fs.readFileSync(readme, "utf8"), `${folder}/README.md`, project)
    : `# Example: ${path.basename(folder)}\n`;
  const parts = files.map((file) => {
    const name = path.posix.relative(folder, file);
    const text = fs.readFileSync(path.join(project, file), "utf8");
    const title = `${name.replace(/[[\]]/g, "\\$&")} {#${anchorOf(name)}}`;
    return `## ${title}\n\n\`\`\`\`${path.extname(file).slice(1)}\n${text}\n\`\`\`\`\n`;
  });
  return `${head}\n${parts.join("\n")}`;
}

function anchorOf(name) {
  return name.replace(/\W+/g, "-");
}

/** A page whose links lead to pages of the site. Links in code are left alone. */
function withLinks(text, file, project) {
  return text
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(LINK, (...match) => link(match, file, project))))
    .join("");
}

function link([whole, open, target, hash = "", close], file, project) {
  if (/^[a-z]+:/.test(target) || target.startsWith("/")) return whole;
  const found = path.posix.join(path.posix.dirname(file), target);
  if (!fs.existsSync(path.join(project, found))) return whole;
  const [, example, name] = new RegExp(`^${EXAMPLES}([^/]+)/?(.*)$`).exec(found) ?? [];
  if (`${found}/` === EXAMPLES) return `${open}${target}/index.md${close}`;
  if (example !== undefined && name !== "README.md") {
    const anchor = name === "" ? "" : `#${anchorOf(name)}`;
    return `${open}${path.posix.relative(path.posix.dirname(file), `${EXAMPLES}${example}/index.md`)}${anchor}${close}`;
  }
  return `${open}${indexOf(target)}${hash}${close}`;
}

/** A page that is the index of its folder has another name on the site. */
function indexOf(file) {
  return file.replace(/(^|\/)README\.md$/, "$1index.md");
}

function write(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}
