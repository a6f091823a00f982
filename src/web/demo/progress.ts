import { type Signal, signal } from "@preact/signals";

/** Progress of the demo, from 0 to 1; `undefined` while it is not being changed. */
export const demoProgress: Signal<number | undefined> = signal(undefined);
