// The files that LevelDB reads when it opens, by name: github.com/google/leveldb, doc/impl.md.

/** Whether a file belongs to a LevelDB database, except its message log and its lock. */
export function isLevelFile(name: string): boolean {
  return /^(CURRENT|MANIFEST-\d+|\d+\.(log|ldb|sst))$/.test(name);
}

/** The number of a table; `undefined` for any other file. Tables never change once written. */
export function tableNumber(name: string): number | undefined {
  return numberBefore(name, /^(\d+)\.(?:ldb|sst)$/);
}

/** The number of a list of tables; `undefined` for any other file. */
export function manifestNumber(name: string): number | undefined {
  return numberBefore(name, /^MANIFEST-(\d+)$/);
}

/** The number of a log; `undefined` for any other file. */
export function logNumber(name: string): number | undefined {
  return numberBefore(name, /^(\d+)\.log$/);
}

function numberBefore(name: string, pattern: RegExp): number | undefined {
  const digits = pattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
