import type { ActivityServer } from "./server.js";
import { ACTIVITY } from "./util/in-process.js";

/** A tenant that is open, or being opened. */
export class Tenant<Identity extends object, Context> {
  readonly id: string;
  server: ActivityServer<Identity, Context> | undefined;
  opening: Promise<unknown> = Promise.resolve();
  /** Uses in progress. */
  uses = 0;
  /** Deletes it. Set while the deletion waits for uses to end. */
  onUnused: (() => void) | undefined;
  usedAt: number = performance.now();
  /** Number of tasks that its server had started at the last use. */
  #started = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Whether it must stay open. */
  get isBusy(): boolean {
    return this.uses > 0 || this.server === undefined || this.server[ACTIVITY].running > 0;
  }

  /** Notes a use. */
  touch(): void {
    this.#started = this.#startedNow;
    this.usedAt = performance.now();
  }

  /** Notes calls of its server that did not come through here. */
  look(): void {
    if (this.isBusy || this.#startedNow !== this.#started) this.touch();
  }

  get #startedNow(): number {
    return this.server?.[ACTIVITY].started ?? 0;
  }
}

/** Closes a server even if its data cannot be deleted: the next deletion opens another one. */
export async function destroyServer(server: Pick<ActivityServer, "destroy" | "close">): Promise<void> {
  try {
    await server.destroy();
  } catch (thrown) {
    await server.close().catch(() => undefined);
    throw thrown;
  }
}
