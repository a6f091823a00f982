import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { MIGRATIONS } from "../../adapters/postgres/migrations.js";

const test = suite("postgres statements");

const FOLDER = new URL("../../adapters/postgres/", import.meta.url);
const TABLES = ["namespaces", "buckets", "events", "settings", "records", "writes", "changes"];
const TOUCHES = new RegExp(`\\b(?:from|join|into|update)\\s+:"schema"\\.(?:${TABLES.join("|")})\\b`, "gi");

const NAMES = /\bnamespace = (?:ns\b|\$1\b|\$\{NAMESPACE_ARGUMENT\})|\(namespace\b|for update skip locked/g;

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
  const files = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && name !== "open-schema.ts");
  return files.flatMap((name) => {
    const code = fs.readFileSync(new URL(name, FOLDER), "utf8");
    return Array.from(code.matchAll(/`[^`]*`|'[^'\n]*'/g), ([text]) => text).filter((text) => /:"schema"\./.test(text));
  });
}

/** Where a restored database moves on the ids of all namespaces. */
const FOR_ALL = /^update :"schema"\.(?:buckets|namespaces) set next_id = next_id \+ step$/m;

/** How often a statement names a table, and how often it says of which namespace. */
function problemOf(statement: string): string | undefined {
  const tables = statement.match(TOUCHES)?.length ?? 0;
  const namespaces = statement.match(NAMES)?.length ?? 0;
  return tables > namespaces ? statement.trim() : undefined;
}

test("every statement names the namespace for each table that it touches", () => {
  const statements = [...statementsOfFunctions(), ...statementsOfProgram()];
  const touching = statements.filter((statement) => statement.match(TOUCHES) !== null);
  assert.ok(touching.length > 40, `${touching.length} statements were found`);
  const problems = touching.map(problemOf).filter((problem) => problem !== undefined);
  const [forAll, others] = [true, false].map((is) => problems.filter((problem) => FOR_ALL.test(problem) === is));
  assert.equal(others, []);
  assert.is(forAll?.length, 2);
});

test("the check finds a statement that forgets it", () => {
  assert.ok(problemOf('select * from :"schema".events e where e.bucket = 1'));
  assert.ok(
    problemOf('delete from :"schema".events where namespace = ns and not exists (select from :"schema".buckets)'),
  );
  assert.is(problemOf('select * from :"schema".events e where e.namespace = $1'), undefined);
});

/** Functions as they are in the end, by their names. */
function functions(): Map<string, string> {
  const all = MIGRATIONS.join("\n").matchAll(/create (?:or replace )?function :"schema"\.(\w+)\(.*?\$\$(.*?)\$\$/gs);
  return new Map(Array.from(all, ([text, name]) => [name as string, text]));
}

const WRITES_SOMETHING = /\b(?:insert into|update|delete from)\s+:"schema"\./i;
const SETS_DURABILITY = /set_config\('synchronous_commit', w\.sync, true\)/;

test("every write sets what it survives within its own transaction", () => {
  const called = [...functions()].filter(([, text]) => /\bw :"schema"\.write_id.* returns text$/ms.test(text));
  const others = called.filter(([name]) => name !== "finish_write");
  assert.ok(others.length >= 10, `${others.length} functions were found`);
  for (const [name, text] of others) {
    const returns = text.match(/^ *return .*/gm) ?? [];
    assert.ok(returns.length > 0, name);
    for (const each of returns) assert.match(each, /^ *return :"schema"\.finish_write\(ns, w, /, name);
  }
  for (const name of ["finish_write", "settle_write"]) assert.match(functions().get(name) ?? "", SETS_DURABILITY);
});

test("nothing is written but by such functions, and no setting is one of a session", () => {
  for (const statement of statementsOfProgram()) assert.not.match(statement, WRITES_SOMETHING);
  for (const text of [...statementsOfProgram(), ...statementsOfFunctions()]) {
    assert.not.match(text, /^[`'\s]*(?:set|prepare)\s|\bset_config\((?!.*, true\))/i);
  }
});

test("every key of a table begins with the namespace", () => {
  const keys = MIGRATIONS.join("\n").match(/(?:primary key|unique) \(\w+/g) ?? [];
  assert.ok(keys.length >= 6, `${keys.length} keys were found`);
  assert.equal([...new Set(keys)].sort(), ["primary key (namespace", "unique (namespace"]);
});

test.run();
