// What the tests of queue files work with.
import fs from "node:fs";
import path from "node:path";
import * as assert from "uvu/assert";
import type { HeartbeatQueue, HeartbeatQueueOptions } from "../../../src/client/queue/index.js";
import { withFolder } from "../../adapters/folder.js";
import { beat, inScene, plain, type Scene } from "./scene.js";

/** A scene with a path for a queue file. */
export function inFolder(body: (scene: Scene, file: string, folder: string) => Promise<void>): Promise<void> {
  return withFolder((folder) => inScene((scene) => body(scene, path.join(folder, "queue"), folder)));
}

/** Leaves a file behind with beats at these seconds, each an event of its own. */
export async function leave(scene: Scene, file: string, seconds: readonly number[]): Promise<void> {
  const before = scene.fault;
  scene.fault = () => "down";
  const queue = scene.open({ path: file });
  for (const second of seconds) assert.is(await queue.heartbeat(beat(second, `app ${second}`)), "disk");
  await queue.close({ timeoutMillis: 0 });
  scene.fault = before;
  scene.warnings.length = 0;
}

/** Opens a file, and waits until all that is in it is sent. */
export async function deliver(scene: Scene, file: string, options: Partial<HeartbeatQueueOptions> = {}): Promise<void> {
  const queue = scene.open({ path: file, ...options });
  await queue.flush();
  await queue.close();
}

/** Closes a queue with what it has left, and lets another one send that. */
export async function resume(scene: Scene, queue: HeartbeatQueue, file: string): Promise<void> {
  await queue.close({ timeoutMillis: 0 });
  scene.fault = () => undefined;
  await deliver(scene, file);
}

export const own = (seconds: readonly number[]): object[] => seconds.map((second) => plain(second, 0, `app ${second}`));

/** Lets everything fail that is written, for the time of the body, after some of it was written. */
export async function withFullDisk<T>(body: () => Promise<T>): Promise<T> {
  const { writeFileSync } = fs;
  fs.writeFileSync = (file, data, options) => {
    writeFileSync(file, String(data).slice(0, 20), options);
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  };
  try {
    return await body();
  } finally {
    fs.writeFileSync = writeFileSync;
  }
}

/** Whether a file is refused since somebody uses it. */
export function isLocked(error: Error & { code?: string }): boolean {
  return error.code === "LOCKED" && error.message.includes("is in use by");
}
