// Loaded into launchers of tests: what they say must not depend on the accounts of the machine.
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { readFile } = fs;
fs.readFile = (file, ...rest) =>
  file === "/etc/passwd" ? Promise.resolve(process.env.TEST_ACCOUNTS ?? "") : readFile(file, ...rest);
syncBuiltinESMExports();
