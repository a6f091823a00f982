/** A test of a string. Most tests finish immediately; a slow one returns a continuation. */
export type TextTest = (text: string) => boolean | PausedTest;

/** A test in progress. */
export interface PausedTest {
  /** @returns the result; `undefined` when another pause is due */
  go(): boolean | undefined;
}

/** Runs a test in as many steps as it needs, and keeps its position during pauses. */
export class TextTestRunner {
  #paused: PausedTest | undefined;

  /** @returns the result; `undefined` = call again with the same test and text after a pause */
  run(test: TextTest, text: string): boolean | undefined {
    const answer = this.#paused === undefined ? test(text) : this.#paused.go();
    if (typeof answer === "object") {
      this.#paused = answer;
      return undefined;
    }
    if (answer !== undefined) this.#paused = undefined;
    return answer;
  }

  /** Drops the test in progress. */
  reset(): void {
    this.#paused = undefined;
  }
}
