import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { MIGRATIONS } from "../../adapters/postgres/migrations.js";

const test = suite("postgres statements");

const FOLDER = new URL("../../adapters/postgres/", import.meta.url);
const TABLES = ["namespaces", "buckets", "events", "settings", "records", "writes"];
const TOUCHES = new RegExp(`\\b(?:from|join|into|update)\\s+:"schema"\\.(?:${TABLES.join("|")})\\b`, "gi");

/** The statements of functions: what stands between `$$`, cut at semicolons. */
function statementsOfFunctions(): string[] {
  const bodies = MIGRATIONS.flatMap((text) =>
    text
      .replaceAll(/--.*$/gm, "")
      .split("$$")
      .filter((_, index) => index % 2 === 1),
  );
  return bodies.flatMap((body) => body.split(";"));
}

/** Texts of the program that hold SQL. */
function statementsOfProgram(): string[] {
  const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && name !== "opening.ts");
  return files.flatMap((name) => {
    const code = fs.readFileSync(new URL(name, FOLDER), "utf8");
    return Array.from(code.matchAll(/`[^`]*`|'[^'\n]*'/g), ([text]) => text).filter((text) => /:"schema"\./.test(text));
  });
}

/** How often a statement names a table, and how often it says of which namespace. */
function problemOf(statement: string): string | undefined {
  const tables = statement.match(TOUCHES)?.length ?? 0;
  const namespaces = statement.match(/\bnamespace = (?:ns|\$1)\b|\(namespace\b|for update skip locked/g)?.length ?? 0;
  return tables > namespaces ? statement.trim() : undefined;
}

test("every statement names the namespace for each table that it touches", () => {
  const statements = [...statementsOfFunctions(), ...statementsOfProgram()];
  const touching = statements.filter((statement) => statement.match(TOUCHES) !== null);
  assert.ok(touching.length > 40, `${touching.length} statements were found`);
  assert.equal(
    touching.map(problemOf).filter((problem) => problem !== undefined),
    [],
  );
});

test("the check finds a statement that forgets it", () => {
  assert.ok(problemOf('select * from :"schema".events e where e.bucket = 1'));
  assert.ok(
    problemOf('delete from :"schema".events where namespace = ns and not exists (select from :"schema".buckets)'),
  );
  assert.is(problemOf('select * from :"schema".events e where e.namespace = $1'), undefined);
});

test("every key of a table begins with the namespace", () => {
  const keys = MIGRATIONS.join("\n").match(/(?:primary key|unique) \(\w+/g) ?? [];
  assert.ok(keys.length >= 6, `${keys.length} keys were found`);
  assert.equal([...new Set(keys)].sort(), ["primary key (namespace", "unique (namespace"]);
});

test.run();
