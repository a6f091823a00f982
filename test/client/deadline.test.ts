// What a call keeps while it lasts: a feed lasts for days.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createDeadline } from "../../src/client/deadline.js";
import { collectGarbage } from "../http/garbage.js";
import { codeOf } from "../refusals.js";

const test = suite("deadlines of calls");
const CONTEXT = { method: "GET", url: "http://localhost/", secret: "" };

test("a call keeps nothing of the chunks that it has read", async () => {
  const deadline = createDeadline(CONTEXT, 1000, undefined);
  const refs: WeakRef<object>[] = [];
  for (let chunk = 0; chunk < 100; chunk++) {
    refs.push(new WeakRef(await deadline.orEnd(Promise.resolve({ chunk }))));
  }
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  // The last ones may be on the stack.
  assert.ok(refs.filter((ref) => ref.deref() !== undefined).length < 10);
  deadline.close();
});

test("the end of a call ends every wait, and the first reason stays", async () => {
  const controller = new AbortController();
  const deadline = createDeadline(CONTEXT, 1000, controller.signal);
  const waits = [1, 2].map(() => codeOf(deadline.orEnd(new Promise(() => {}))));
  controller.abort();
  assert.equal(await Promise.all(waits), ["ABORTED", "ABORTED"]);
  assert.is(await codeOf(deadline.orEnd(Promise.reject(new Error("late")))), "ABORTED");
  deadline.close();
});

test.run();
