import { rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { constants } from "node:os";
import { createPartialPath, removeLeftovers } from "../../../adapters/leveldb/maintenance/partials.js";

const paths = new Set<string>();

/** Removes a file or folder if the command is interrupted. @returns a function that cancels this */
export function removeWhenInterrupted(path: string): () => void {
  if (paths.size === 0) for (const signal of SIGNALS) process.once(signal, removeAndExit);
  paths.add(path);
  return () => {
    paths.delete(path);
    if (paths.size === 0) for (const signal of SIGNALS) process.off(signal, removeAndExit);
  };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function removeAndExit(signal: (typeof SIGNALS)[number]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  process.exit(128 + constants.signals[signal]);
}

/** Runs work on a temporary file or folder next to its target, and removes what is left of it at the end. */
export async function withPartial<T>(target: string, work: (partial: string) => Promise<T>): Promise<T> {
  await removeLeftovers(target);
  const partial = createPartialPath(target);
  const forget = removeWhenInterrupted(partial);
  try {
    return await work(partial);
  } finally {
    await rm(partial, { recursive: true, force: true });
    forget();
  }
}
