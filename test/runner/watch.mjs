import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./places.mjs";

const WATCHED = ["src", "adapters", "test", "docs", "README.md"];
/** An editor writes a file in several steps. */
const SETTLED_MILLIS = 100;

/** Calls `run` now and after each change of the sources; what is still running then is ended by `stop`. */
export async function watch(folder, run, stop) {
  let wake = () => {};
  let timer;
  const onChange = () => {
    clearTimeout(timer);
    timer = setTimeout(() => wake(), SETTLED_MILLIS);
  };
  const inside = WATCHED.map((name) => path.join(ROOT, name));
  for (const place of new Set([...inside, folder])) {
    if (fs.existsSync(place)) fs.watch(place, { recursive: true }, onChange);
  }
  for (;;) {
    const changed = new Promise((resolve) => {
      wake = resolve;
    });
    const ran = run();
    await Promise.race([ran, changed]);
    stop();
    await ran;
    console.log("waiting for a change");
    await changed;
  }
}
