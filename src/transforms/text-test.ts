/** A test of a text. Most end at once; one that takes long gives what goes on with it after a pause. */
export type TextTest = (text: string) => boolean | PausedTest;

/** A test that has not ended. */
export interface PausedTest {
  /** @returns the answer, or `undefined` when another pause is due */
  go(): boolean | undefined;
}

/** Puts a text to a test, as often as that needs, and keeps its place meanwhile. */
export class TextAsker {
  #paused: PausedTest | undefined;

  /** @returns the answer, or `undefined`: ask again, with the same test and text, after a pause */
  ask(test: TextTest, text: string): boolean | undefined {
    const answer = this.#paused === undefined ? test(text) : this.#paused.go();
    if (typeof answer === "object") {
      this.#paused = answer;
      return undefined;
    }
    if (answer !== undefined) this.#paused = undefined;
    return answer;
  }

  /** Nobody will ask again. */
  forget(): void {
    this.#paused = undefined;
  }
}
