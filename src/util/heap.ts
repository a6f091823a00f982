/** Number of bytes by which the heap of this process can still grow; `undefined` if unknown, as in a browser. */
export function freeHeapBytes(): number | undefined {
  // Not imported: the core runs without Node.
  const statistics = globalThis.process?.getBuiltinModule?.("v8")?.getHeapStatistics?.();
  if (statistics === undefined) return undefined;
  return Math.max(0, statistics.heap_size_limit - statistics.used_heap_size);
}
