// With `exactOptionalPropertyTypes`, `{ name: undefined }` compiles only if the type of `name` has `undefined`. Apps
// often pass what they do not have, such as `process.env.NAME`, so each optional input allows it.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type {
  ClientEventRange,
  ClientGroupedSearch,
  ClientPrivacyApplication,
  ClientPrivacyTrial,
  ClientSearch,
  NewBucket,
  NewEvent,
} from "../../src/client/index.js";
import type {
  ActivityServerOptions,
  BucketInput,
  BucketPatchInput,
  EventInput,
  GroupedSearchInput,
  KeyInput,
  MergingInput,
  QueryLimitsInput,
  RangeInput,
  SearchInput,
  WriteHooks,
} from "../../src/index.js";
import { createTestServer, type TestServerOptions } from "../../src/testing/index.js";

const test = suite("optional inputs");

/** The optional fields of a type that refuse `undefined`. */
type Refusing<T> = {
  [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
    ? Record<Name, undefined> extends Pick<T, Name>
      ? never
      : Name
    : never;
}[keyof T];

/** Compiles for types whose optional fields allow `undefined`. */
const allows = <T>(..._: [Refusing<T>] extends [never] ? [] : [Refusing<T>]): void => undefined;

/** Types that the compiler derives from schemas, so that the report of the public types does not show their fields. */
export function derived(): void {
  allows<ActivityServerOptions>();
  allows<QueryLimitsInput>();
  allows<TestServerOptions>();
  allows<BucketInput>();
  allows<BucketPatchInput>();
  allows<EventInput>();
  allows<GroupedSearchInput>();
  allows<KeyInput>();
  allows<MergingInput>();
  allows<RangeInput>();
  allows<SearchInput>();
  allows<WriteHooks>();
  allows<ClientEventRange>();
  allows<ClientGroupedSearch>();
  allows<ClientPrivacyApplication>();
  allows<ClientPrivacyTrial>();
  allows<ClientSearch>();
  allows<NewBucket>();
  allows<NewEvent>();
  // @ts-expect-error it refuses `undefined`
  allows<{ readonly name?: string }>();
}

/** Results, what the server passes to an app's functions, and what adapters return. Nobody passes them in. */
const NOT_INPUTS = new Set(
  [
    "ActivityError BucketNotice ChangeNotice Notice Write HostRequest ImportCounts StorageHealth StorageProblem Fault",
    "FaultPlace WireEvent HeartbeatQueueWarning EventDraft EventRange TimeRange DataTable EventBatch TransactionChange",
    "BucketPatch ActivityEventDraft KeyValueStorage LevelDatabase PostgresPool PostgresQuery PostgresPoolSettings",
    "ConnectableServer ClientErrorDetails ObjectOf",
  ].flatMap((names) => names.split(" ")),
);

test("each of the public types allows undefined", () => {
  const report = fs.readFileSync("test/public-types.txt", "utf8").split("\n");
  const refusing: string[] = [];
  let found = 0;
  let name = "";
  for (const line of report) {
    name = /^(?:interface|type|class) (\w+)/.exec(line)?.[1] ?? name;
    const [, field, type = ""] = /^\s+(?:readonly )?(\w+)\?: (.*);$/.exec(line) ?? [];
    if (field === undefined || NOT_INPUTS.has(name)) continue;
    found++;
    if (!/\b(undefined|unknown)\b|F\["absent"\]/.test(type)) refusing.push(`${name}.${field}: ${type}`);
  }
  assert.equal(refusing, []);
  assert.ok(found > 100, String(found));
});

test("undefined is a missing option, for limits as well", async () => {
  const queryLimits = { timeMillis: undefined, events: undefined, memoryBytes: undefined, periods: 1 };
  const server = createTestServer({ queryLimits, apiKey: undefined, hostname: undefined, trashDays: undefined });
  const timeperiods = ["2024-03-01/2024-03-02", "2024-03-02/2024-03-03"];
  const refused = await server.query({ timeperiods, query: "RETURN = 1;", name: undefined }).catch(String);
  assert.match(String(refused), /2 periods|at most 1/);
  assert.equal(await server.query({ timeperiods: timeperiods.slice(1), query: "RETURN = 1;" }), [1]);
  await server.close();
});

test.run();
