export { type BucketFields, bucket, type EventFields, event, type HeartbeatsOptions, heartbeats } from "./builders.js";
export { type DayOptions, type RealisticDay, realisticDay } from "./day.js";
export type { TestFailure, TestFailureCode } from "./failure-plan.js";
export { type FakeClock, fakeClock, TEST_START } from "./fake-clock.js";
export type { FilledBucket, FilledDay, Filling } from "./filling.js";
export { createTestServer, type TestServer, type TestServerOptions } from "./test-server.js";
export {
  createTestTenants,
  type TestTenantOptions,
  type TestTenants,
  type TestTenantsOptions,
} from "./test-tenants.js";
export { toExport, toWire, type WireBucket, type WireEvent, type WireExport } from "./to-wire.js";
export { TEST_HOSTNAME } from "./watchers.js";
