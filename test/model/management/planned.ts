import type { ActivityServer } from "../../../src/index.js";
import type { Chooser } from "./chooser.js";

/** A call of the server, and what the model makes of it. */
export interface Planned {
  readonly what: string;
  ask(): Promise<unknown>;
  /**
   * Does the same to the model.
   *
   * @param answer `undefined` where the server refused
   * @returns what the answer must be, if that says anything
   * @throws Refusal
   */
  expect(answer: never): unknown;
}

/** Makes a call out of what a step chooses; `undefined` where there is nothing to do it with. */
export type Act = (server: ActivityServer, chooser: Chooser) => Planned | undefined;
