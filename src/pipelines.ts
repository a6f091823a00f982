import type { ActionParts } from "./actions/index.js";
import { apiBrowserRoutes } from "./http/api-browser.js";
import { createControl } from "./http/control.js";
import { createCredentials, OF_OPERATOR } from "./http/credentials.js";
import { dashboardRoutes } from "./http/dashboard.js";
import { type AccessRules, createGuard, NO_GUARD } from "./http/guard.js";
import type { createInFlight } from "./http/in-flight.js";
import { mcpRoutes } from "./http/mcp.js";
import { originPattern } from "./http/origin-pattern.js";
import { ANY_ORIGIN, createOriginCheck } from "./http/origins.js";
import { type Access, createPipeline, type Pipeline, type Respond } from "./http/pipeline.js";
import { resourcesOf, resourcesOfApi } from "./http/route.js";
import { createRouter } from "./http/router.js";
import { handlersOf } from "./http/routes/index.js";
import { signInRoutes } from "./http/sign-in-page.js";
import { openWebFolder } from "./http/web-folder.js";
import type { Logger } from "./logger.js";
import { type ActivityServerOptions, isKeyNeeded, parseBasePath } from "./options.js";
import type { AccessServices } from "./service/access/access-services.js";
import type { Service } from "./service/service.js";
import type { TrustedClock } from "./service/trusted-clock.js";
import type { Storage } from "./storage/storage.js";
import type { MemoryBudget } from "./util/memory-budget.js";
import { VERSION } from "./util/version.js";

/** The services behind the pipeline. */
export interface PipelineParts extends AccessServices {
  readonly actions: ActionParts;
  readonly ages: TrustedClock;
  readonly storage: Storage;
  readonly budget: MemoryBudget;
  readonly service: Service;
  readonly logger: Logger;
  readonly inFlight: ReturnType<typeof createInFlight>;
}

/** Assembles the shared pipeline for requests from outside and calls in process. @throws for invalid options */
export function createPipelines(
  options: ActivityServerOptions,
  parts: PipelineParts,
): { respond: Respond; respondWithin: Respond } {
  const { storage, budget, service, keys, sessions, pairing, extensions, logger, inFlight } = parts;
  const { apiKey, authorize, webui = true, apiBrowser = true, dashboard } = options;
  const isRequired = isKeyNeeded(options);
  const basePath = parseBasePath(options.basePath);
  const webFolder = typeof webui === "string" ? openWebFolder(webui) : undefined;
  const { allowedHosts } = options;
  // Copies: the app may change its options later.
  const rules: AccessRules = {
    allowedHosts: Array.isArray(allowedHosts) ? [...allowedHosts] : allowedHosts,
    cors: [...(options.cors ?? [])],
    corsRegex: [...(options.corsRegex ?? [])],
    testing: options.testing ?? false,
    trustProxy: options.trustProxy ?? false,
    trustAnyOwnName: authorize !== undefined && !Array.isArray(allowedHosts),
  };
  // Here, so that an invalid pattern is reported at once.
  for (const pattern of rules.corsRegex) originPattern(pattern);
  const secrets = { apiKey: apiKey || undefined, controlToken: options.controlToken || undefined };
  const cookieAlone = options.sessionCookieAlone ?? false;
  // Called for the first request: many servers of a process are only called in process.
  function assemble(): Assembled {
    const guard = createGuard(rules);
    const control = createControl(secrets);
    const credentials = createCredentials({ guard, control, keys, sessions, isRequired, cookieAlone });
    const origins = createOriginCheck({ guard, credentials, keys, extensions, pairing });
    const pages = [
      ...apiBrowserRoutes(apiBrowser, logger, { frameAncestors: dashboard?.frameAncestors }),
      ...(webui === true ? dashboardRoutes(storage, logger, options) : signInRoutes()),
      ...mcpRoutes(options, logger),
    ];
    const handlers = handlersOf({ ...parts, control, credentials, guard, version: VERSION, isRequired });
    const router = createRouter([resourcesOfApi(options), resourcesOf(pages)], basePath);
    const pipeline = createPipeline({ router, handlers, webFolder, service, logger, inFlight, budget });
    return { pipeline, access: { guard, origins, credentials, authorize } };
  }
  let assembled: Assembled | undefined;
  const respondAs =
    (own?: Access): Respond =>
    (request) => {
      assembled ??= assemble();
      return assembled.pipeline(request, own ?? assembled.access);
    };
  return { respond: respondAs(), respondWithin: respondAs(OWN_ACCESS) };
}

/** The pipeline, made for the first request. */
interface Assembled {
  readonly pipeline: Pipeline;
  /** The access of requests from outside. */
  readonly access: Access;
}

/** The access of calls in process. */
const OWN_ACCESS: Access = { guard: NO_GUARD, origins: ANY_ORIGIN, credentials: OF_OPERATOR, authorize: undefined };
