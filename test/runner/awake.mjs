// Imported for its effect: each second the thread pool gets something to do. The C library (glibc before 2.41, its bug
// 25847) can lose the signal that wakes a waiting thread: on a busy machine all threads of the pool then sleep on,
// although work is queued, until more is. Tests that wait for a single operation would wait for ever.
import fs from "node:fs";

const EVERY_MILLIS = 1000;

setInterval(() => fs.stat("/", () => undefined), EVERY_MILLIS).unref();
