// Values that all views share: one request for calls at the same time, none before the feed had its chance to start.
import { type Signal, signal } from "@preact/signals";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Loadable, shownValue } from "../../src/web/load.js";
import { delayLoads, shareLoad } from "../../src/web/shared-load.js";

const test = suite("shared loads");

function counted() {
  const value: Signal<Loadable<number>> = signal({ state: "loading" });
  const answers: (() => void)[] = [];
  const shared = shareLoad(value, () => new Promise<number>((resolve) => answers.push(() => resolve(answers.length))));
  /** Lets the loads go on as far as they can. */
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return { ...shared, answers, settle, shown: () => shownValue(value.value) };
}

test("calls at the same time share a request, and what the start of the feed reads again, too, unless it was sent", async () => {
  let start = (): void => {};
  delayLoads(
    new Promise((resolve) => {
      start = resolve;
    }),
  );
  const { load, reload, answers, settle, shown } = counted();
  const first = [load(), load(), reload()];
  await settle();
  assert.is(answers.length, 0);
  start();
  await settle();
  assert.is(answers.length, 1);
  const again = [load(), reload(), reload()];
  await settle();
  assert.is(answers.length, 1, "a request that was sent is awaited");
  answers[0]?.();
  await settle();
  assert.is(answers.length, 2, "and followed by one other");
  answers[1]?.();
  await Promise.all([...first, ...again]);
  assert.is(shown(), 2);
});

test.run();
