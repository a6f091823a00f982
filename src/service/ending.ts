import { serverClosed } from "../errors.js";
import type { MainSpace } from "../storage/space.js";

/** How a server ends: once, by closing its storage or by deleting what is in it. */
export interface Ending {
  readonly isBegun: boolean;
  /** @throws ActivityError `STORAGE_CLOSED` */
  assertNotBegun(): void;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/** What an ending needs. */
interface EndingParts {
  /** Stops everything but the storage. */
  readonly stop: () => Promise<void>;
  readonly storage: Pick<MainSpace, "close" | "destroy">;
  readonly onEnded: () => void;
}

export function createEnding({ stop, storage, onEnded }: EndingParts): Ending {
  let stopping: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let destroying: Promise<void> | undefined;

  async function end(release: () => Promise<void>): Promise<void> {
    stopping ??= stop();
    await stopping;
    await release();
    onEnded();
  }

  return {
    get isBegun() {
      return stopping !== undefined;
    },
    assertNotBegun() {
      if (stopping !== undefined) throw serverClosed();
    },
    close() {
      closing ??= destroying ?? end(() => storage.close());
      return closing;
    },
    destroy() {
      if (closing !== undefined && destroying === undefined) return Promise.reject(serverClosed());
      destroying ??= end(() => storage.destroy()).catch((thrown: unknown) => {
        // The next call continues.
        destroying = undefined;
        throw thrown;
      });
      return destroying;
    },
  };
}
