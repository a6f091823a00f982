import { serverClosed } from "../errors.js";
import type { MainSpace } from "../storage/space.js";

/** How a server ends: once, by closing its storage or by deleting what is in it. */
export interface Shutdown {
  readonly hasStarted: boolean;
  /** @throws ActivityError `STORAGE_CLOSED` */
  assertRunning(): void;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/** What an ending needs. */
interface ShutdownParts {
  /** Stops everything but the storage. */
  readonly stop: () => Promise<void>;
  readonly storage: Pick<MainSpace, "close" | "destroy">;
  readonly onClosed: () => void;
}

export function createShutdown({ stop, storage, onClosed: onEnded }: ShutdownParts): Shutdown {
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
    get hasStarted() {
      return stopping !== undefined;
    },
    assertRunning() {
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
