/**
 * Group commit. Calls on one thing are made in their order on a working copy, which is then stored; what arrives
 * meanwhile goes into the next copy. So the state that everybody sees changes only by what was stored, a failed store
 * changes nothing, and calls at once cost one store together.
 */
export class Line<Work> {
  readonly #steps: LineSteps<Work>;
  readonly #waiting: Call<Work>[] = [];
  #busy = false;

  constructor(steps: LineSteps<Work>) {
    this.#steps = steps;
  }

  /** Makes a change together with others. Rejects alone when `apply` throws, which then must have changed nothing. */
  share<T>(apply: (work: Work) => T | Promise<T>): Promise<T> {
    return this.#add({ isShared: true, make: apply as (work: Work) => unknown }) as Promise<T>;
  }

  /** Does something when its turn comes, with nothing else under way. */
  alone<T>(run: () => Promise<T>): Promise<T> {
    return this.#add({ isShared: false, make: run }) as Promise<T>;
  }

  #add(change: Change<Work>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      if (!this.#busy) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting;
      if (first?.change.isShared) await this.#storeGroup();
      else await this.#doNext();
      // Those who were answered may call again before the next group is made up.
      if (this.#waiting.length === 0) await undefined;
    }
    this.#busy = false;
    this.#steps.idle?.();
  }

  async #doNext(): Promise<void> {
    const { change, resolve, reject } = this.#waiting.shift() as Call<Work>;
    try {
      resolve(await (change as { make(): Promise<unknown> }).make());
    } catch (thrown) {
      reject(thrown);
    }
  }

  async #storeGroup(): Promise<void> {
    const end = this.#waiting.findIndex(({ change }) => !change.isShared);
    const group = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
    const done: { readonly call: Call<Work>; readonly result: unknown }[] = [];
    try {
      const work = this.#steps.begin();
      for (const call of group) {
        try {
          const result = call.change.make(work);
          done.push({ call, result: result instanceof Promise ? await result : result });
        } catch (thrown) {
          call.reject(thrown);
        }
      }
      await this.#steps.store(work);
      for (const { call, result } of done) call.resolve(result);
    } catch (thrown) {
      // Those that were refused already hear nothing of it.
      for (const { reject } of group) reject(thrown);
    }
  }
}

interface LineSteps<Work> {
  /** Makes a working copy of what was stored last. What it throws is the answer to everybody in the group. */
  begin(): Work;
  /** Stores a working copy wholly or not at all, and makes it what everybody sees. */
  store(work: Work): Promise<void>;
  /** Called when nobody waits any more. */
  idle?(): void;
}

type Change<Work> =
  | { readonly isShared: true; make(work: Work): unknown }
  | { readonly isShared: false; make(): Promise<unknown> };

interface Call<Work> {
  readonly change: Change<Work>;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}
