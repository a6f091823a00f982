// Loads that fail after a key was entered or the server was back.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadCurrent, recoveries } from "../../src/web/recoveries.js";

const test = suite("recoveries");

test("a rejection that arrives after the right key was entered is not shown: the value is loaded again", async () => {
  let rejectFirst: (error: Error) => void = () => undefined;
  const tries = [new Promise<string>((_, reject) => (rejectFirst = reject)), Promise.resolve("settings")];
  const loading = loadCurrent(() => tries.shift() as Promise<string>);
  recoveries.value++;
  rejectFirst(new Error("wrong key"));
  assert.is(await loading, "settings");
});

test("other failures are final, and so is a failure of the second load", async () => {
  let loads = 0;
  const load = async (): Promise<never> => {
    loads++;
    throw new Error(`failure ${loads}`);
  };
  const failure = (loading: Promise<unknown>): Promise<string> => loading.then(String, (error) => error.message);
  assert.is(await failure(loadCurrent(load)), "failure 1");
  const second = failure(loadCurrent(load));
  recoveries.value++;
  assert.is(await second, "failure 3");
});

test.run();
