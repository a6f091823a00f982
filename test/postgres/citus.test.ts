// The commands of docs/guides/scaling.md#citus, with functions in place of those of Citus that note what they are
// called with.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { MIGRATIONS } from "../../adapters/postgres/migrations.js";
import { blocksOf } from "../readme/markdown.js";
import { postgresGround } from "./ground.js";

const test = suite("commands for Citus");

const ground = await postgresGround();
const COMMANDS = blocksOf("docs/guides/scaling.md", "text")
  .map(({ text }) => text)
  .find((text) => text.includes("create_distributed_table"));

const STAND_INS = `
  create table noted (name text);
  create function create_distributed_table(t regclass, c text, colocate_with text) returns void language sql
    as $$ insert into noted values (t::text || ' by ' || c || ' with ' || colocate_with) $$;
  create function create_distributed_function(f regprocedure, a text, colocate_with text) returns void language sql
    as $$ insert into noted values (f::oid::regproc::text || ' by ' || a || ' with ' || colocate_with) $$`;

function namesOf(kind: string): string[] {
  const found = MIGRATIONS.join("\n").matchAll(new RegExp(`create (?:or replace )?${kind} :"schema"\\.(\\w+)`, "g"));
  return [...new Set(Array.from(found, ([, name]) => name as string))];
}

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  test("they name every table, and every function that takes a namespace", async () => {
    const storage = ground.open(ground.newNamespace());
    await storage.ready?.();
    await ground.pool.query(STAND_INS);
    await ground.pool.query(COMMANDS ?? "");
    const { rows } = await ground.pool.query("select name from noted");
    const noted = rows.map(({ name }) => String(name).replaceAll("activity_server.", ""));
    const others = namesOf("table").filter((name) => !["namespaces", "place"].includes(name));
    for (const line of [
      "namespaces by namespace with none",
      ...others.map((name) => `${name} by namespace with namespaces`),
    ]) {
      assert.ok(noted.includes(line), line);
    }
    const functions = noted.filter((line) => line.endsWith(" by ns with namespaces"));
    for (const name of ["put_events", "put_heartbeats", "finish_write", "settle_write", "locked_bucket"]) {
      assert.ok(functions.includes(`${name} by ns with namespaces`), name);
    }
    assert.is(noted.length, 1 + others.length + functions.length, "and nothing twice");
    await storage.close();
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
