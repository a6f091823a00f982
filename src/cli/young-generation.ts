import { setFlagsFromString } from "node:v8";

/**
 * Keeps the part of the heap for new objects at its current size of a few megabytes, for the bench row `memory/reads`.
 * V8 would let it grow to 32 MiB, or 128 MiB from Node 24 on, and fill all of it before it collects. V8 has no other
 * option for this that applies to a running process.
 *
 * @param nodeOptions Node's options; one of the user's own about this size has precedence
 */
export function limitYoungGeneration(nodeOptions: readonly string[]): void {
  if (nodeOptions.some((option) => /semi[-_]space/.test(option))) return;
  setFlagsFromString("--semi-space-growth-factor=1");
}
