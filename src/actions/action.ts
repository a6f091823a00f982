import type { Action, CallId } from "../api/calls.js";
import type { HookedService } from "../service/hooked-service.js";

/** What carries out operations, by their IDs; the service acts for the caller. */
export type Actions<Ids extends CallId> = { readonly [Id in Ids]: Action<Id, HookedService> };
