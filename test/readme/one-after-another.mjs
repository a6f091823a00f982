// Child program: runs modules one after the other, each in its own folder, and writes a NUL before what each prints. The
// next one begins when nothing of the one before is left to wait for, as a process of its own would end.
import path from "node:path";
import { pathToFileURL } from "node:url";

const NEVER_ENDS = 13;
const files = process.argv.slice(2);
let isPlaying = false;

async function goOn() {
  if (isPlaying) process.exit(NEVER_ENDS);
  const file = files.shift();
  if (file === undefined) return;
  process.stdout.write("\0");
  process.chdir(path.dirname(file));
  isPlaying = true;
  await import(pathToFileURL(file).href);
  isPlaying = false;
}

process.on("beforeExit", goOn);
