import type { BodyLimits } from "../api/operation.js";
import type { OperationId } from "../api/operations.js";
import { busy } from "../errors.js";
import type { Grants } from "../service/access/grants.js";
import type { Service } from "../service/service.js";
import type { Credentials } from "./credentials.js";
import type { RefusalThrottle } from "./refusal-throttle.js";
import type { RequestContext } from "./request-context.js";
import type { Handlers, RouteContext, Serializers } from "./route.js";
import type { Found } from "./router.js";

/** State that the handlers of all requests share. */
export interface SharedContext extends Pick<RouteContext, "serializers" | "handlers"> {
  readonly refusals: RefusalThrottle;
}

/** The request of a context. */
interface Asked {
  readonly request: RequestContext;
  readonly found: Found;
  readonly access: { readonly credentials: Credentials };
}

/** The context of one request. A class, so that a heartbeat does not create closures. */
export class HandlerContext implements RouteContext {
  readonly service: Service;
  readonly path: string;
  readonly params: ReadonlyMap<string, string>;
  readonly query: URLSearchParams;
  readonly limits: BodyLimits;
  readonly serializers: Serializers;
  readonly handlers: Handlers<OperationId>;
  readonly #asked: Asked;
  readonly #refusals: RefusalThrottle;

  constructor(
    asked: Asked,
    { limits, query, service }: Pick<RouteContext, "limits" | "query" | "service">,
    { serializers, handlers, refusals }: SharedContext,
  ) {
    this.service = service;
    this.path = asked.found.path;
    this.params = asked.found.params;
    this.query = query;
    this.limits = limits;
    this.serializers = serializers;
    this.handlers = handlers;
    this.#asked = asked;
    this.#refusals = refusals;
  }

  async callerGrants(): Promise<Grants | undefined> {
    const { access, request } = this.#asked;
    await access.credentials.ready(request);
    return access.credentials.grantsOf(request);
  }

  async slowDown(): Promise<void> {
    if (!(await this.#refusals.turn(this.#asked.request))) throw busy("too many send wrong credentials");
  }
}
