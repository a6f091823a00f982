import type { Said } from "./texts/text.js";

/** A failure detected by the page itself, with a translated message. */
export class PageError extends Error {
  readonly say: Said;

  constructor(say: Said) {
    super(say());
    this.say = say;
  }
}
