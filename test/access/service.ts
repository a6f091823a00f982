// The service without a server around it: writes as the pipeline gets them.
import { memory } from "../../adapters/memory.js";
import { silentLogger } from "../../src/logger.js";
import { BucketAccessRules } from "../../src/service/access/bucket-access.js";
import { RecordCaches } from "../../src/service/access/record-cache.js";
import { createDataServices } from "../../src/service/data-services.js";
import type { WriteHooks } from "../../src/service/hooks.js";
import { type Announcer, createAnnouncer } from "../../src/service/notices.js";
import { Service } from "../../src/service/service.js";
import { createShared } from "../../src/service/shared.js";
import { Trash } from "../../src/service/trash/trash.js";
import { TrustedClock } from "../../src/service/trusted-clock.js";
import { createMainSpace } from "../../src/storage/space.js";

/** The service on behalf of the program itself, over an empty storage in memory. */
export function serviceInMemory(hooks: WriteHooks = {}): { readonly service: Service; readonly announcer: Announcer } {
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
  return { announcer, service: new Service({ ...base, ...facts, ...createDataServices({ ...base, shared }), shared }) };
}
