import type { ActionParts } from "../../actions/index.js";
import type { AccessServices } from "../../service/access/access-services.js";
import type { TrustedClock } from "../../service/trusted-clock.js";
import type { Storage } from "../../storage/storage.js";
import type { MemoryBudget } from "../../util/memory-budget.js";
import type { Control } from "../control.js";
import type { Credentials } from "../credentials.js";
import type { Guard } from "../guard.js";

/** The needs of handlers in addition to the service, which each request has. */
export interface HandlerParts extends AccessServices {
  readonly actions: ActionParts;
  readonly storage: Storage;
  readonly budget: MemoryBudget;
  readonly ages: TrustedClock;
  readonly guard: Guard;
  readonly control: Control;
  readonly credentials: Credentials;
  readonly version: string;
  readonly isRequired: boolean;
}
