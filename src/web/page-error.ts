import type { LazyText } from "./texts/text.js";

/** A failure detected by the page itself, with a translated message. */
export class PageError extends Error {
  readonly say: LazyText;

  constructor(say: LazyText) {
    super(say());
    this.say = say;
  }
}
