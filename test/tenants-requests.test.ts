// What an app passes with a request of a tenant, and what is logged of a tenant that cannot be opened.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../adapters/memory.js";
import { allow, createTenants, deny } from "../src/index.js";
import { BUCKET, onPort } from "./harness.js";

const test = suite("requests of tenants");

interface Context {
  readonly user: string;
}

test("the server of a tenant gets the context of a request, by each way in", async () => {
  const tenants = createTenants<{ readonly name: string }, Context>({
    open: (id) => ({
      storage: memory(),
      authorize: ({ context }) => (context?.user === id ? allow({ name: id }) : deny()),
    }),
  });
  const context = { user: "ann" };
  assert.is((await tenants.fetch("ann", "/api/0/buckets", { context })).status, 200);
  assert.is((await tenants.fetch("bob", "/api/0/buckets", { context })).status, 403);
  assert.is((await tenants.fetch("ann", "/api/0/buckets")).status, 403);
  // @ts-expect-error a context has a user
  assert.is((await tenants.fetch("ann", "/api/0/buckets", { context: {} })).status, 403);
  await onPort(
    (request, response) => tenants.nodeHandler("ann", request, response, { context }),
    async ({ send }) => assert.is((await send("POST", "/api/0/buckets/b", BUCKET)).status, 200),
  );
  await tenants.close();
});

for (const logger of [undefined, false] as const) {
  test(`with the logger ${logger}, an error of \`open\` is ${logger === undefined ? "" : "not "}printed`, async () => {
    const lines: unknown[] = [];
    const { error } = console;
    console.error = (line: unknown) => void lines.push(line);
    const tenants = createTenants({
      logger,
      open() {
        throw Object.assign(new Error("no database"), { password: "hunter2" });
      },
    });
    try {
      assert.is((await tenants.fetch("ann", "/api/0/buckets")).status, 500);
    } finally {
      console.error = error;
      await tenants.close();
    }
    if (logger === false) assert.equal(lines, []);
    else assert.match(String(lines), /^activity-server: Error: no database\n {4}at /);
    assert.not.match(String(lines), "hunter2");
  });
}

test.run();
