import type { Named } from "../../api/schemas.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import { folderOf } from "./place.js";
import { createReport } from "./report.js";
import { runningServer } from "./request.js";

const PATH = "/api/0/pairing";

/** Lists who waits for an answer of the owner, or answers one of them. @returns the exit code */
export async function pair({
  place,
  code,
  scope: scopes,
  name,
  refuse,
  json,
  streams,
}: CommandOptions<"pair">): Promise<number> {
  if (code === undefined && (refuse || scopes.length > 0 || name !== undefined)) {
    throw usageError("usage: activity-server pair CODE [--scope SCOPE] [--name NAME] | pair CODE --refuse | pair");
  }
  const { request } = await runningServer(
    folderOf(place, "who asks is known to one node only; answer in its dashboard, or make a key by keys add"),
  );
  const report = createReport({ json, streams });
  if (code === undefined) {
    const questions = (await request("GET", PATH)) as readonly Named<"PairingQuestion">[];
    for (const question of questions) report.event("pairing", { ...question }, described(question));
    if (questions.length === 0 && !json) report.event("pairing", {}, "nobody asks");
    return 0;
  }
  const path = `${PATH}/${encodeURIComponent(code)}`;
  if (refuse) {
    await request("DELETE", path);
    report.event("pairing-refused", { code }, `${printable(code)} is refused`);
    return 0;
  }
  const changes = { ...(scopes.length === 0 ? {} : { scopes }), ...(name === undefined ? {} : { name }) };
  const approved = (await request("POST", `${path}/approve`, changes)) as Named<"PairingApproval">;
  const { required } = (await request("GET", "/api/0/session")) as { readonly required: boolean };
  report.event("pairing-approved", { ...approved }, outcomeOf(approved, required));
  return 0;
}

function described({ code, kind, name, scopes, origin, address }: Named<"PairingQuestion">): string {
  const from = address === null ? "" : `, from ${address}`;
  const asks = kind === "key" ? `${name} asks for a key: ${scopes.join(" ")}` : `an extension wants to report: ${name}`;
  return printable(`${code}  ${asks}${kind === "key" && origin !== null ? `, for ${origin}` : ""}${from}`, 1000);
}

function outcomeOf({ kind, name, scopes }: Named<"PairingApproval">, isKeyNeeded: boolean): string {
  // Any program can claim the origin of an extension, so that is no proof.
  const command = `activity-server keys add NAME --scope append:GLOB --origin ${name}`;
  const withKey = isKeyNeeded ? ` with a key, which it asks for itself or you make: ${command}` : "";
  const reporting = `${name} may report${withKey}`;
  return printable(kind === "key" ? `${name} gets a key: ${scopes.join(" ")}` : reporting, 1000);
}
