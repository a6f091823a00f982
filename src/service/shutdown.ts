import { serverClosed } from "../errors.js";
import type { MainSpace } from "../storage/space.js";

/** Stops a server once: closes its storage, or deletes its data. */
export interface Shutdown {
  hasStarted(): boolean;
  /** @throws ActivityError `STORAGE_CLOSED` */
  assertRunning(): void;
  close(): Promise<void>;
  destroy(): Promise<void>;
}

/** Options of `createShutdown`. */
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
    hasStarted: () => stopping !== undefined,
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
