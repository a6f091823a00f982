import { type Signal, signal } from "@preact/signals";

/** How far the demo is, from 0 to 1; `undefined` while nobody changes it. */
export const demoProgress: Signal<number | undefined> = signal(undefined);
