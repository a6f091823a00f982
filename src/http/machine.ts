import { decode } from "../api/codec.js";
import type { MachineFacts } from "../domain/machine.js";
import { ActivityError } from "../errors.js";
import type { Grants } from "../service/access/grants.js";
import { readJson } from "./body.js";
import { hasForwardingHeader, isOfThisMachine } from "./guard.js";
import { escapeHtml } from "./readable.js";
import { jsonResponse, type RequestContext } from "./request-context.js";
import { limitsOf, type Route } from "./route.js";

/** The machine of a server that the CLI runs. The dashboard shows it to the owner. */
export interface Machine {
  /** Flags that select this server's data, with placeholders for private paths; anyone may see them. */
  readonly publicFlags: string;
  /** Whether it listens on a Unix socket, which only its user reaches. */
  readonly hasSocket: boolean;
  /** Whether other people use the machine, as far as that is known. */
  hasOtherUsers(): Promise<boolean>;
  describe(): Promise<MachineFacts>;
  /** Starts to import a database that `describe()` lists, unless this is in progress. @throws ActivityError */
  importDatabase(file: string): Promise<void>;
}

/** Option of a server through which the CLI passes its machine. A symbol, because only the CLI may set it. */
export const MACHINE: unique symbol = Symbol("machine");

export interface MachineOption {
  readonly [MACHINE]?: Machine | undefined;
}

const PATHS = { machine: "/api/0/machine", import: "/api/0/machine/import" } as const;

/** Not part of the API's schemas, since only the command's dashboard sends it. */
const IMPORT_REQUEST = {
  type: "object",
  required: ["file"],
  properties: { file: { type: "string" } },
  additionalProperties: false,
} as const;

/** An element for the page's head, for commands before anyone has signed in; "" if no CLI runs the server. */
export function machineHead(machine: Machine | undefined): string {
  return machine === undefined ? "" : `<meta name="flags" content="${escapeHtml(machine.publicFlags)}">\n`;
}

/** The routes for the machine, only for its owner (docs/explanation/security.md#other-users-of-the-machine). */
export function machineRoutes(machine: Machine | undefined): readonly Route[] {
  if (machine === undefined) return [];
  const describe = async () => jsonResponse(JSON.stringify(await machine.describe()));
  return [
    {
      method: "GET",
      path: PATHS.machine,
      summary: "Show the server's commands, addresses, data folder and databases to import",
      needs: "owner",
      isReading: true,
      async handle(request, context) {
        refuseRemote(machine, request, await context.callerGrants());
        return describe();
      },
    },
    {
      method: "POST",
      path: PATHS.import,
      summary: "Import a database that was found on the server's machine",
      needs: "owner",
      limits: limitsOf("single", {}),
      isBuffered: true,
      async handle(request, context) {
        const grants = await context.callerGrants();
        refuseRemote(machine, request, grants);
        await refuseOtherUsers(machine, grants);
        const { file } = decode(IMPORT_REQUEST, await readJson(request, context.limits), "") as {
          readonly file: string;
        };
        await machine.importDatabase(file);
        return describe();
      },
    },
  ];
}

/** @throws ActivityError for other machines without a session, even with an admin key */
function refuseRemote({ hasSocket }: Machine, request: RequestContext, grants: Grants | undefined): void {
  if (grants?.caller?.kind === "session") return;
  // A proxy on this machine passes on requests of other machines.
  if (!hasForwardingHeader(request) && (hasSocket || isOfThisMachine(request.host.node?.socket))) return;
  throw new ActivityError(
    "FORBIDDEN",
    "only the owner may see the machine; sign in with a link of activity-server open",
  );
}

/**
 * Without keys, any user of the machine can call the API, and would read a database that only the owner can read.
 *
 * @throws ActivityError for callers without credentials if there are other users
 */
async function refuseOtherUsers(machine: Machine, grants: Grants | undefined): Promise<void> {
  if (grants?.standing === "operator" || machine.hasSocket || !(await machine.hasOtherUsers())) return;
  throw new ActivityError(
    "FORBIDDEN",
    "other users of this machine could import it as well; sign in with a link of activity-server open",
  );
}
