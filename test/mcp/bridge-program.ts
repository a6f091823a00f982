// The command, from its sources.
import { run } from "../../src/cli/program.js";

run(() => {});
