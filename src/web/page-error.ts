import type { Said } from "./texts/text.js";

/** A failure that the page finds by itself, with words for people. */
export class PageError extends Error {
  readonly say: Said;

  constructor(say: Said) {
    super(say());
    this.say = say;
  }
}
