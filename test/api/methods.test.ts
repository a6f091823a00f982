// The methods of clients and of servers in process are what the operations make of them.
import { execFileSync } from "node:child_process";
import { suite } from "uvu";

const test = suite("methods of operations");

test("they are up to date", () => {
  execFileSync(process.execPath, ["--import", "tsx", "scripts/methods.mjs"], { stdio: "inherit" });
});

test.run();
