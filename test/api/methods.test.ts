// What scripts write out of the operations: the methods of clients and of servers in process, and tables of the docs.
import { execFileSync } from "node:child_process";
import { suite } from "uvu";

const test = suite("what is written out of operations");

for (const script of ["methods", "doc-tables"]) {
  test(`${script} are up to date`, () => {
    execFileSync(process.execPath, ["--import", "tsx", `scripts/${script}.mjs`], { stdio: "inherit" });
  });
}

test.run();
