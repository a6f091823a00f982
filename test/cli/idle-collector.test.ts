import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IdleCollector } from "../../src/cli/idle-collector.js";

const test = suite("idle collector");

const MIB = 1024 * 1024;

/** A process with a given size, in which a collection frees everything above 80 MiB. */
function start(mebibytes: number) {
  const state = { mebibytes, cpuMicros: 0, collections: 0 };
  const collector = new IdleCollector({
    residentBytes: () => state.mebibytes * MIB,
    cpuMicros: () => state.cpuMicros,
    collect() {
      state.collections++;
      state.mebibytes = Math.min(state.mebibytes, 80);
    },
  });
  const check = (times: number, cpuMillis: number): void => {
    for (let time = 0; time < times; time++) {
      state.cpuMicros += cpuMillis * 1000;
      collector.check();
    }
  };
  return { state, check };
}

test("collects once after a busy time, even beside heartbeats", () => {
  const { state, check } = start(70);
  state.mebibytes = 300;
  check(5, 9000);
  check(6, 100);
  assert.is(state.collections, 0);
  check(1, 100);
  assert.equal([state.collections, state.mebibytes], [1, 80]);
  check(100, 100);
  assert.is(state.collections, 1);
});

test("waits until the process is idle for long enough", () => {
  const { state, check } = start(70);
  state.mebibytes = 300;
  for (let time = 0; time < 10; time++) {
    check(6, 100);
    check(1, 9000);
  }
  assert.is(state.collections, 0);
});

test("ignores a process that has not grown much", () => {
  const { state, check } = start(70);
  state.mebibytes = 110;
  check(1, 9000);
  check(20, 0);
  assert.is(state.collections, 0);
});

test.run();
