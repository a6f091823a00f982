// The service without a server around it: writes as the pipeline gets them.
import { memory } from "../../adapters/memory.js";
import { silentLogger } from "../../src/logger.js";
import { BucketAccessRules } from "../../src/service/access/bucket-access.js";
import { RecordCaches } from "../../src/service/access/record-cache.js";
import { createDataServices } from "../../src/service/data-services.js";
import { Feed } from "../../src/service/feed/feed.js";
import type { FeedTimes } from "../../src/service/feed/times.js";
import { ForeignChanges } from "../../src/service/foreign-changes.js";
import type { WriteHooks } from "../../src/service/hooks.js";
import { type Announcer, createAnnouncer } from "../../src/service/notices.js";
import { Service } from "../../src/service/service.js";
import { createShared } from "../../src/service/shared.js";
import { Trash } from "../../src/service/trash/trash.js";
import { TrustedClock } from "../../src/service/trusted-clock.js";
import { createMainSpace } from "../../src/storage/space.js";

/** The service on behalf of the program itself, over an empty storage in memory. */
export function serviceInMemory(
  hooks: WriteHooks = {},
  times?: FeedTimes,
): {
  readonly service: Service;
  readonly announcer: Announcer;
  readonly feed: Feed;
} {
  const storage = createMainSpace(memory());
  const records = new RecordCaches();
  const access = new BucketAccessRules(storage, records);
  const [clock, logger] = [Date.now, silentLogger];
  const ages = new TrustedClock({ storage, clock, logger });
  const trash = new Trash({ storage, access, clock, ages, logger, days: 30 });
  const announcer = createAnnouncer<object>(logger);
  const base = { storage, caches: records, trash, access, clock, ages, logger, announcer };
  const shared = createShared(base);
  const facts = { hostname: "box", version: "v", testing: false, hooks };
  const foreign = new ForeignChanges({ storage, announcer, logger });
  const feed = new Feed({ storage, foreign, privacy: shared.privacy, limit: 10, times, hasKeys: () => false });
  const services = createDataServices({ ...base, shared });
  return { announcer, feed, service: new Service({ ...base, ...facts, ...services, shared, feed }) };
}
