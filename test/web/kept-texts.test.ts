// Texts follow the language of the page: what is kept for later is a state, or what says it, and never a text.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript-5";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const WEB = "src/web";

const test = suite("texts that the dashboard keeps");

/** Names by which a source gets texts. */
function namesOfTexts(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set(["describeFailure"]);
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !/\/texts\/[\w-]+\.js"$/.test(statement.moduleSpecifier.getText()))
      continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      if (["t", "common"].includes((propertyName ?? name).text)) names.add(name.text);
    }
  }
  return names;
}

/** What an expression gives to something that stays: a state, a signal, a failure. */
function keptBy(node: ts.Node): readonly ts.Node[] {
  if (ts.isCallExpression(node) && /^set[A-Z]/.test(node.expression.getText())) return node.arguments;
  if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) return node.arguments ?? [];
  const isAssignment = ts.isBinaryExpression(node) && /^(\?\?)?=$/.test(node.operatorToken.getText());
  return isAssignment && /\.value$/.test(node.left.getText()) ? [node.right] : [];
}

/** Texts that a source keeps. */
function keptTexts(source: string, name: string): readonly string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX);
  const names = namesOfTexts(file);
  const found: string[] = [];
  const visit = (node: ts.Node, isKept: boolean): void => {
    // What a function says is said when it is called.
    const goesOn = isKept && !ts.isFunctionLike(node);
    if (goesOn && ts.isCallExpression(node) && names.has(node.expression.getText())) found.push(node.getText());
    const kept = keptBy(node);
    ts.forEachChild(node, (child) => visit(child, goesOn || kept.includes(child)));
  };
  visit(file, false);
  return found;
}

test("no state, signal or failure holds a text", () => {
  const files = fs.readdirSync(WEB, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  assert.ok(files.length > 200, "the sources are where this test looks for them");
  const found = files.flatMap((file) => keptTexts(fs.readFileSync(path.join(WEB, file), "utf8"), file));
  assert.equal(found, [], "keep a key, or a function that says it (`Said`): the language may be another one by then");
});

test("texts in what is kept are found, and not those that are said later", () => {
  const cases: readonly (readonly [source: string, ...found: string[]])[] = [
    ['setNote(common("saved"));', 'common("saved")'],
    ['note.value = { text: t("done") };', 't("done")'],
    ['wanted.value ??= { text: t("done") };', 't("done")'],
    ['throw new Error(t("noTime"));', 't("noTime")'],
    ["setError(describeFailure(thrown));", "describeFailure(thrown)"],
    ['note.value = { say: () => t("done") };'],
    ['throw new PageError(() => t("noTime"));'],
    ['const text = t("done"); setDone(true);'],
    ["setRange(common(a, b));"],
  ];
  for (const [source, ...found] of cases) {
    const isTexts = !source.includes("(a, b)");
    const head = isTexts
      ? 'import { common } from "../texts/common.js"; import { t } from "../texts/search.js";\n'
      : 'import { common } from "./numbers.js";\n';
    assert.equal(keptTexts(head + source, "case.tsx"), found, source);
  }
});

test.run();
