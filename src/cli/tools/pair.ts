import type { ClientPairingApproval, ClientPairingQuestion, KeyScope } from "../../client/index.js";
import type { CommandOptions } from "../command-options.js";
import { printable } from "../launch-error.js";
import { type Action, runOnServer } from "./actions.js";
import { requireValue } from "./options.js";

export async function pair(options: CommandOptions<"pair">): Promise<number> {
  const { code, scope: scopes, name, refuse } = options;
  if (refuse || scopes.length > 0 || name !== undefined) requireValue(code, options);
  const reason = "only one node knows a pairing request; approve it in its dashboard, or use keys add";
  return runOnServer(options, reason, code === undefined ? listRequests : createDecision(code));
}

type PairAction = Action<CommandOptions<"pair">>;

const listRequests: PairAction = async (_options, { client }, report) => {
  const questions = await client.pairing.list();
  report.each("pairing", questions, describeRequest, "no pairing requests");
};

function createDecision(code: string): PairAction {
  return async ({ scope: scopes, name, refuse }, { client }, report) => {
    if (refuse) {
      await client.pairing.refuse(code);
      report.event("pairing-refused", { code }, `refused ${printable(code)}`);
      return;
    }
    // The server checks them.
    const narrowed = scopes.length === 0 ? undefined : (scopes as readonly KeyScope[]);
    const approved = await client.pairing.approve(code, { name, scopes: narrowed });
    const { required } = await client.sessions.current();
    report.event("pairing-approved", { ...approved }, describeApproval(approved, required));
  };
}

function describeRequest({ code, kind, name, scopes, origin, address }: ClientPairingQuestion): string {
  const from = address === null ? "" : `, from ${address}`;
  const asks =
    kind === "key" ? `${name} requests a key: ${scopes.join(" ")}` : `the extension ${name} requests to report`;
  return `${code}  ${asks}${kind === "key" && origin !== null ? `, for ${origin}` : ""}${from}`;
}

function describeApproval({ kind, name, scopes }: ClientPairingApproval, isKeyNeeded: boolean): string {
  // Any program can claim the origin of an extension.
  const command = `activity-server keys add NAME --scope append:GLOB --origin ${name}`;
  const withKey = isKeyNeeded ? ` with a key, which it requests itself or you create with: ${command}` : "";
  const reporting = `${name} may report${withKey}`;
  return printable(kind === "key" ? `${name} gets a key: ${scopes.join(" ")}` : reporting, 1000);
}
