import { rmSync } from "node:fs";
import { constants } from "node:os";

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
