import type { Logger } from "../logger.js";
import { IN_PROCESS } from "../util/in-process.js";
import { createApp, fetchWith, type MountableApp } from "./app.js";
import { createFetch, createFetchWithin, type ServerFetch } from "./fetch.js";
import type { Respond } from "./pipeline.js";

/** The entry points of web-standard requests. */
export interface WebDoors {
  readonly app: MountableApp;
  readonly fetch: ServerFetch<unknown>;
  readonly [IN_PROCESS]: ServerFetch<unknown>;
}

export interface WebDoorOptions {
  readonly logger: Logger;
  /** Whether files may be sent compressed. */
  readonly precompressed: boolean;
}

/** @param respondWithin responds to calls from inside the process, without a guard */
export type MakeWebDoors<Doors> = (respond: Respond, respondWithin: Respond, options: WebDoorOptions) => Doors;

/** All of them, those for outside callers over h3. */
export const createWebDoors: MakeWebDoors<WebDoors> = (respond, respondWithin, { logger, precompressed }) => {
  const app = createApp(respond, logger, { precompressed });
  return {
    app,
    fetch: createFetch((request, context) => fetchWith(app, request, context), logger),
    [IN_PROCESS]: createFetchWithin(respondWithin, logger),
  };
};
