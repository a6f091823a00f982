import type { Shelf } from "./shelf.js";

/** A change that is made in memory; `landed` resolves when the database has it, too. */
export interface Applied<T> {
  readonly result: T;
  readonly landed: Promise<void>;
}

/**
 * Makes changes of one bucket in the order of the calls. Most are made at once; one that must read first holds up
 * those behind it until it is made. Nobody waits for the disk of somebody else.
 */
export function inOrder<T>(shelf: Shelf, apply: () => Applied<T> | Promise<Applied<T>>): Promise<T> {
  if (shelf.busy !== undefined) return hold(shelf, shelf.busy.then(apply)).then(settled);
  const applied = apply();
  return applied instanceof Promise ? hold(shelf, applied).then(settled) : settled(applied);
}

function settled<T>({ result, landed }: Applied<T>): Promise<T> {
  return landed.then(() => result);
}

function hold<T>(shelf: Shelf, applying: Promise<T>): Promise<T> {
  const turn = applying.then(
    () => undefined,
    () => undefined,
  );
  shelf.busy = turn;
  void turn.then(() => {
    if (shelf.busy === turn) shelf.busy = undefined;
  });
  return applying;
}
