import { ACTIONS, type ActionContext } from "../actions/index.js";
import type { CallId } from "../api/calls.js";
import { type DomainOf, decode, type InputOf } from "../api/codec.js";
import type {
  Calls,
  ExtensionsCalls,
  IdentityCalls,
  KeysCalls,
  PairingCalls,
  PrivacyCalls,
  RetentionCalls,
  SessionsCalls,
  SettingsCalls,
  TrashCalls,
} from "../api/methods.js";
import type { Operation } from "../api/operation.js";
import { OPERATION_LIST } from "../api/operations.js";
import { parametersSchema } from "../api/parameters.js";
import type { Input, Output, Schema } from "../api/schema.js";
import { SCHEMA_LIST, type SchemaName } from "../api/schemas.js";
import { mustBe } from "../errors.js";
import { PROGRAM } from "./program-source.js";

/** The side of a server in process: times as `Date`s or microseconds. */
export interface InProcessSide {
  readonly input: Input;
  readonly output: Output;
  readonly options: readonly [];
}

/** Renaming and merging of buckets and hosts, redirects and undo. */
export type InProcessIdentity = IdentityCalls<InProcessSide>;
/** Keys of the API and their rights. */
export type InProcessKeys = KeysCalls<InProcessSide>;
/** Pairing requests of programs, phones and browser extensions for a key. */
export type InProcessPairing = PairingCalls<InProcessSide>;
/** Rules that keep private data out of the storage. */
export type InProcessPrivacy = PrivacyCalls<InProcessSide>;
/** Rules for old events. */
export type InProcessRetention = RetentionCalls<InProcessSide>;
/** Sign-in to the server's own pages. */
export type InProcessSessions = SessionsCalls<InProcessSide>;
/** JSON values by key, for user interfaces. */
export type InProcessSettings = SettingsCalls<InProcessSide>;
/** Deleted data, which you can restore. */
export type InProcessTrash = TrashCalls<InProcessSide>;

/** A key to create. */
export type KeyInput = InputOf<"KeyCreation">;
/** The owner's changes to a requested key. */
export type PairingChangesInput = InputOf<"PairingChanges">;
/** Fields of a bucket to change; absent and null ones do not change. */
export type BucketPatchInput = InputOf<"BucketPatch">;
/** How to merge buckets. */
export type MergingInput = InputOf<"BucketMerging">;
/** How to rename a bucket or a host. */
export type BucketRenamingInput = InputOf<"BucketRenaming">;
export type HostRenamingInput = InputOf<"HostRenaming">;
/** The new hostname of a bucket. */
export type HostnameChangeInput = InputOf<"HostnameChange">;
/** Which events of a bucket to delete, and how. */
export type DeletionInput = InputOf<"DeletionByFilter">;
/** Which events of several buckets to delete, and how. */
export type WideDeletionInput = InputOf<"WideDeletionSelection">;
/** The result or preview of a deletion by range and filter. */
export type EventsDeletion = DomainOf<"EventsDeletion">;
/** How to restore a trash entry. */
export type RestoringInput = InputOf<"TrashRestoring">;
/** The result of emptying the trash. */
export type EmptiedTrash = DomainOf<"TrashEmptied">;
/** Information about the server. */
export type ServerInfo = DomainOf<"Info">;
/** How to rename a bucket. */
export type ChangingInput = Omit<InputOf<"BucketRenaming">, "to">;

/** Browser extensions with a decision of the owner (docs/explanation/security.md#browser-extensions). */
export interface InProcessExtensions extends ExtensionsCalls<InProcessSide> {
  /** Allows an extension without a pairing request. @throws `INVALID_INPUT` for an invalid origin */
  allow(origin: string): Promise<void>;
}

type During = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface CallContext extends ActionContext {
  readonly during: During;
}

type Method = (this: CallContext, ...args: readonly unknown[]) => Promise<unknown>;

/** A method for each action. It decodes its arguments like a request. */
const METHODS = Object.entries(ACTIONS).map(([id, action]) => {
  const operation: Operation = OPERATION_LIST[id as CallId];
  const [method = "", subject = ""] = operation.call?.split(".").reverse() ?? [];
  const act = action as (input: object, context: ActionContext) => Promise<unknown>;
  const run: Method = function (...args) {
    return this.during(async () => {
      const result = await act(parseInput(operation, args), this);
      // A kept report belongs to the server, and callers may change their result.
      return operation.answers[200]?.content?.schema === "Report" ? structuredClone(result) : result;
    });
  };
  return { subject, method, run };
});

/** Binds the methods to a server. A process may have a thousand servers, and closures are twice as large. */
export function createInProcessCalls(
  context: CallContext,
  extensions: Pick<InProcessExtensions, "allow">,
): Calls<InProcessSide> & { readonly extensions: InProcessExtensions } {
  const calls: Record<string, unknown> = { extensions };
  for (const { subject, method, run } of METHODS) {
    if (subject !== "") calls[subject] ??= {};
    const target = (subject === "" ? calls : calls[subject]) as Record<string, unknown>;
    target[method] = run.bind(context);
  }
  return calls as unknown as ReturnType<typeof createInProcessCalls>;
}

function orEmpty({ type, required }: Schema, body: unknown): unknown {
  return body === undefined && type === "object" && required === undefined ? {} : body;
}

/** The arguments of a method: the parameters of the path, the body, an object of the other parameters. */
function parseInput({ parameters, body, takes }: Operation, args: readonly unknown[]): object {
  const rest = [...args];
  const inPath = parametersSchema(parameters, "path");
  const ids = Object.keys(inPath.properties ?? {}).map((name) => [name, rest.shift()]);
  const params = decode(inPath, Object.fromEntries(ids), "", PROGRAM);
  const taken = body && SCHEMA_LIST[body["application/json"]?.schema as SchemaName];
  const given = taken && (takes === undefined ? orEmpty(taken, rest.shift()) : { [takes]: rest.shift() });
  const input = taken && decode(taken, given, "", PROGRAM);
  const query = decode(parametersSchema(parameters, "query"), rest.shift() ?? {}, "", PROGRAM);
  return { params, body: input, query, isGone: () => false };
}

/** @throws ActivityError `INVALID_INPUT` for an identity that is not an object */
export function checkIdentity(identity: object): object {
  if (typeof identity === "object" && identity !== null) return identity;
  throw mustBe("identity", "an object that names the caller", identity);
}
