import type { Logger } from "../../logger.js";
import type { Storage } from "../../storage/storage.js";
import type { FeedTarget } from "../feed/feed.js";
import type { TrustedClock } from "../trusted-clock.js";
import { Extensions } from "./extensions.js";
import { Keys } from "./keys.js";
import { Pairing } from "./pairing.js";
import { Sessions } from "./sessions.js";

/** Keys, sessions, pairing requests and extensions: everything about callers of the API. */
export interface AccessServices {
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly pairing: Pairing;
  readonly extensions: Extensions;
}

/** Options of `createAccessServices`. */
export interface AccessServicesOptions {
  readonly storage: Storage;
  /** Returns Unix milliseconds. */
  readonly clock: () => number;
  /** Decides whether keys and sessions have expired. */
  readonly ages: TrustedClock;
  readonly logger: Logger;
  /** Whether every request needs a key. */
  readonly isKeyNeeded: boolean;
  /** Reports pairing requests. */
  readonly feed: FeedTarget;
}

export function createAccessServices({
  storage,
  clock,
  ages: times,
  logger,
  isKeyNeeded,
  feed,
}: AccessServicesOptions): AccessServices {
  const keys = new Keys({ storage, clock, times, logger });
  const extensions = new Extensions(storage);
  const pairing = new Pairing({ keys, extensions, clock, logger, isKeyNeeded, feed });
  return { keys, sessions: new Sessions({ storage, clock, times, logger }), pairing, extensions };
}
