// Whatever the dashboard says stands in the catalogue: no component says anything by itself.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript-5";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const WEB = "src/web";

/** Attributes that somebody reads or hears. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...["alt", "aria-description", "aria-label", "aria-roledescription", "aria-valuetext", "placeholder", "title"],
  ...["action", "caption", "data-label", "hint", "label", "nameless", "text"],
]);
/** The same of objects, such as columns of tables. */
const MEMBERS: ReadonlySet<string> = new Set(["caption", "hint", "label", "title"]);

/** What every language says alike, by its file, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  "app.tsx: API": "an abbreviation that all languages have",
  "parts/sign-in.tsx: activity-server open": "a command",
  "views/access/absent.tsx: activity-server keys add owner --scope admin": "a command",
  "views/access/absent.tsx: activity-server open": "a command",
  "views/access/key-form.tsx: https://example.org": "an address",
  "views/devices.tsx: --tls": "a flag of a command",
  "views/devices.tsx: activity-server keys add phone --scope 'read:*' --scope 'append:*'": "a command",
  "views/devices.tsx: activity-server open": "a command",
  "views/search.tsx: app=Code": "a condition",
  "views/search.tsx: title~/^PROJ-\\d+/": "a condition",
  "views/settings.tsx: Zoom|Meet|VLC": "a regular expression",
  "views/storage.tsx: activity-server keys add owner --scope admin": "a command",
  "views/storage/back-up.tsx: activity-server backup --to backup.jsonl.gz": "a command",
  "views/storage/back-up.tsx: activity-server open": "a command",
  "views/stopwatch.tsx: stop": "a key of the catalogue",
  "views/stopwatch/entry-days.tsx: again": "a key of the catalogue",
  "views/timesheet/choices.tsx: byTitle": "a key of the catalogue",
  "views/welcome.tsx: $KEY": "a variable of a command",
  "views/welcome.tsx: Chrome": "a name",
  "views/welcome.tsx: Firefox": "a name",
  "views/welcome.tsx: activity-server --port 5600": "a command",
  "views/welcome.tsx: aw-watcher-afk": "a command",
  "views/welcome.tsx: aw-watcher-window": "a command",
};

const test = suite("literal texts of the dashboard");

/** Literals that an expression may amount to. */
function literalsOf(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    const values = node.templateSpans.flatMap(({ expression, literal }) => [...literalsOf(expression), literal.text]);
    return [node.head.text, ...values];
  }
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return literalsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) {
    const isChoice = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    return [...(isChoice ? [] : literalsOf(node.left)), ...literalsOf(node.right)];
  }
  return [];
}

/** Literals that are shown where a node of a syntax tree stands, without those below it. */
function shownBy(node: ts.Node): readonly string[] {
  if (ts.isJsxText(node)) return [node.text];
  if (ts.isJsxExpression(node) && node.expression !== undefined && !ts.isJsxAttribute(node.parent)) {
    return literalsOf(node.expression);
  }
  if (ts.isJsxAttribute(node) && ATTRIBUTES.has(node.name.getText())) {
    const { initializer } = node;
    if (initializer === undefined) return [];
    if (ts.isJsxExpression(initializer)) return initializer.expression ? literalsOf(initializer.expression) : [];
    return ts.isStringLiteral(initializer) ? [initializer.text] : [];
  }
  if (ts.isPropertyAssignment(node) && MEMBERS.has(node.name.getText())) return literalsOf(node.initializer);
  return [];
}

/** What a source says by itself. */
function literalTexts(source: string, name: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...shownBy(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX));
  return found.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => /\p{L}/u.test(text));
}

test("components say nothing by themselves", () => {
  const files = fs.readdirSync(WEB, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  assert.ok(files.length > 200, "the sources are where this test looks for them");
  const found = files
    .filter((file) => !file.startsWith(`texts${path.sep}`))
    .flatMap((file) => {
      const name = file.split(path.sep).join("/");
      return literalTexts(fs.readFileSync(path.join(WEB, file), "utf8"), file).map((text) => `${name}: ${text}`);
    });
  assert.equal(
    found.filter((one) => !Object.hasOwn(ALLOWED, one)),
    [],
    "move these to src/web/texts: docs/contribute/adding.md, Add a text",
  );
  assert.equal(
    Object.keys(ALLOWED).filter((one) => !found.includes(one)),
    [],
    "nobody says these any more",
  );
});

test("text between tags, read attributes and members are found, whatever they depend on", () => {
  const cases: readonly (readonly [source: string, ...found: string[]])[] = [
    ["<p>Hello {name}</p>", "Hello"],
    [`<p>{isOne ? 'one' : \`\${count} many\`}</p>`, "one", "many"],
    ["<p>{isThere && 'here'}</p>", "here"],
    ["<p>{name ?? 'nobody'}</p>", "nobody"],
    ["<p>{t('key')} · {count} ×</p>"],
    ["<input class='wide' title='Name' placeholder={name + ' or'} />", "Name", "or"],
    ["<Table columns={[{ label: 'Time', key: 'time' }]} />", "Time"],
    ["<p>{t(isOne ? 'one' : 'other')}</p>"],
  ];
  for (const [source, ...found] of cases) assert.equal(literalTexts(source, "case.tsx"), found, source);
});

test.run();
