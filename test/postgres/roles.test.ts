// Servers whose database role may not change tables, and the role that migrates for them.
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { migrate, postgres } from "../../adapters/postgres/index.js";
import { MIGRATIONS } from "../../adapters/postgres/migrations.js";
import { createActivityServer } from "../../src/index.js";
import { inside } from "../cli/inside.js";
import { draftOf } from "../contract/case.js";
import { readPage } from "../readme/markdown.js";
import { refusalOf } from "../refusals.js";
import { startPostgres } from "./server.js";

const test = suite("postgres roles");

const server = await startPostgres();
const LAST = MIGRATIONS.length;

/** The rights that the page says. */
const [, GRANTS = ""] = /```text\n(grant usage.*?)```/s.exec(readPage("docs/guides/storage-postgres.md")) ?? [];

if (server === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const admin = new pg.Pool({ connectionString: server.url, max: 4 });
  let count = 0;

  /** A database of an owner, and a role that may not change tables. */
  async function newDatabase() {
    const name = `roles_${++count}`;
    await admin.query(`create role owner_${count} login; create role app_${count} login`);
    await admin.query(`create database ${name} owner owner_${count}`);
    const urlOf = (role: string) => server?.url.replace("postgres@/postgres?", `${role}_${count}@/${name}?`) ?? "";
    const [owner, app] = [urlOf("owner"), urlOf("app")];
    const [ownerPool, pool] = [owner, app].map((connectionString) => new pg.Pool({ connectionString, max: 4 }));
    const grants = GRANTS.replaceAll(/\bapp\b/g, `app_${count}`);
    const end = async () => Promise.all([ownerPool?.end(), pool?.end()]);
    return { owner, app, ownerPool: ownerPool as pg.Pool, pool: pool as pg.Pool, grants, end };
  }

  /** Everything that writes. */
  async function use(pool: pg.Pool, namespace: string): Promise<void> {
    const tracker = createActivityServer({ storage: postgres({ pool, namespace }) });
    await tracker.buckets.create("window", { type: "t", client: "c", hostname: "h" });
    await tracker.heartbeat("window", { timestamp: new Date(), data: { app: "editor" } }, "60s");
    const event = await tracker.events.insert("window", { timestamp: "2024-01-01", duration: "1s", data: {} });
    await tracker.events.delete("window", event.id as number);
    await tracker.identity.rename("window", { to: "desk" });
    await tracker.settings.put("theme", "dark");
    await tracker.keys.add({ name: "wall", scopes: ["read:*"] });
    await tracker.buckets.delete("desk");
    await tracker.trash.empty();
    await tracker.close();
    const storage = postgres({ pool, namespace });
    assert.equal((await storage.verify()).problems, []);
    await storage.createBucket({ id: "far", type: "", client: "", hostname: "", name: null, created: 0, data: {} });
    await storage.putEvents("far", [{ ...draftOf(1), id: 5_000_000 }, draftOf(2)]);
    await storage.destroy();
  }

  test("a role with the documented rights does everything but migrate", async () => {
    const { ownerPool, pool, grants, end } = await newDatabase();
    assert.equal(await migrate(ownerPool), { from: 0, to: LAST });
    assert.equal(await migrate(ownerPool), { from: LAST, to: LAST });
    await ownerPool.query(grants);
    await use(pool, "anna");
    await end();
  });

  test("where a migration is missing, the message names it and the command", async () => {
    const { ownerPool, pool, grants, end } = await newDatabase();
    const ready = () => {
      const storage = postgres({ pool, namespace: "anna" });
      return refusalOf(storage.ready().finally(() => storage.close()));
    };
    assert.match(
      await ready(),
      new RegExp(`^STORAGE_UNUSABLE: .* lacks migration 1 to ${LAST}, .*activity-server migrate`),
    );
    await ownerPool.query(
      "create schema activity_server; create table activity_server.migrations (version integer primary key)",
    );
    for (const [index, text] of MIGRATIONS.slice(0, -1).entries()) {
      await ownerPool.query(text.replaceAll(':"schema"', "activity_server"));
      await ownerPool.query(`insert into activity_server.migrations values (${index + 1})`);
    }
    await ownerPool.query(grants);
    assert.match(
      await ready(),
      new RegExp(`^STORAGE_UNUSABLE: .* lacks migration ${LAST}, and .*activity-server migrate`),
    );
    assert.equal(await migrate(ownerPool), { from: LAST - 1, to: LAST });
    assert.is(await ready(), "done");
    await use(pool, "anna");
    await end();
  });

  test("the command migrates for the servers, whose start tells what is missing", () =>
    inside(async ({ run, start }) => {
      const { owner, app, ownerPool, grants, end } = await newDatabase();
      const storage = { ACTIVITY_SERVER_STORAGE: "postgres" };
      const refused = await run(["--port", "0"], { ...storage, ACTIVITY_SERVER_DATABASE_URL: app });
      assert.is(refused.code, 1);
      assert.match(refused.stderr, "activity-server migrate");
      const byOwner = { ...storage, ACTIVITY_SERVER_DATABASE_URL: owner };
      const first = await run(["migrate", "--json"], byOwner);
      assert.is(first.code, 0, first.stderr);
      const { event, from, to } = JSON.parse(first.stdout);
      assert.equal([event, from, to], ["migrated", 0, LAST]);
      assert.match((await run(["migrate"], byOwner)).stdout, `have all migrations (${LAST})`);
      await ownerPool.query(grants);
      const running = await start([], { ...storage, ACTIVITY_SERVER_DATABASE_URL: app });
      running.kill("SIGTERM");
      assert.is((await running.ended).code, 0);
      await end();
    }));

  test("the files of the package make the same tables", async () => {
    const { ownerPool, pool, grants, end } = await newDatabase();
    const folder = path.resolve("dist/migrations");
    const names = fs.readdirSync(folder).sort();
    assert.is(names.length, LAST);
    for (const name of names) await ownerPool.query(fs.readFileSync(path.join(folder, name), "utf8"));
    assert.equal(await migrate(ownerPool), { from: LAST, to: LAST });
    await ownerPool.query(grants);
    await use(pool, "anna");
    await end();
  });

  test("unknown options are refused", async () => {
    assert.match(await refusalOf(migrate(admin, { namespace: "a" } as never)), "namespace");
    assert.match(await refusalOf(migrate({} as never)), "pool must be a pg.Pool");
  });

  test("the server of the suite ends", async () => {
    await admin.end();
    await server.remove();
  });
}

test.run();
