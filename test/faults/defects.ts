/** Fails with the first few of what was found; the rest says nothing new. */
export function assertNone(defects: readonly string[]): void {
  if (defects.length === 0) return;
  const few = defects.slice(0, 12).map((defect) => `  ${defect.slice(0, 400)}`);
  throw new Error(`${defects.length} defects:\n${few.join("\n")}`);
}
