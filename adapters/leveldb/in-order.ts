/** A change that is made in memory; `landed` resolves when the database has it, too. */
export interface Applied<T> {
  readonly result: T;
  readonly landed: Promise<void>;
}

/** Who waits for whom, by bucket id; a bucket that nobody waits for has no entry. */
export type Lines = Map<string, Promise<unknown>>;

/**
 * Makes changes of one bucket in the order of the calls. Most are made at once; one that must read first holds up
 * those behind it until it is made. Nobody waits for the disk of somebody else.
 */
export function inOrder<T>(lines: Lines, bucketId: string, apply: () => Applied<T> | Promise<Applied<T>>): Promise<T> {
  const line = lines.get(bucketId);
  if (line !== undefined) return hold(lines, bucketId, line.then(apply)).then(settled);
  const applied = apply();
  return applied instanceof Promise ? hold(lines, bucketId, applied).then(settled) : settled(applied);
}

function settled<T>({ result, landed }: Applied<T>): Promise<T> {
  return landed.then(() => result);
}

function hold<T>(lines: Lines, bucketId: string, applying: Promise<T>): Promise<T> {
  const turn = applying.then(
    () => undefined,
    () => undefined,
  );
  lines.set(bucketId, turn);
  void turn.then(() => {
    if (lines.get(bucketId) === turn) lines.delete(bucketId);
  });
  return applying;
}
