import type { EventDraft } from "../../src/domain/event.js";
import type { TransactionChange, TransactionView } from "../../src/storage/transaction.js";
import { finish, open, put } from "./beside.js";
import { bucketOf, draftOf, type Scenario, type Stage } from "./case.js";
import { broken, rejects, same } from "./check.js";
import { transact } from "./transacting.js";

const needs = "transact";

/** What a transaction refuses. */
export const transactionRefusals: readonly Scenario[] = [
  { name: "transaction: what cannot be done is refused, and nothing is", needs, play: playRefused },
  { name: "transaction: what its plan throws is what it rejects with, and nothing is done", needs, play: playThrown },
  { name: "transaction: its view ends with it", needs, play: playOver },
];

async function playRefused(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, [draftOf(1), draftOf(2)]);
  await stage.storage.createBucket(bucketOf("afk"));
  reference.createBucket(bucketOf("afk"));
  const fine: TransactionChange = { kind: "putEvents", bucketId: "window", drafts: [draftOf(3)] };
  const refused: readonly (readonly [what: string, code: "INVALID_INPUT" | "NO_SUCH_BUCKET", TransactionChange])[] = [
    ["a rename onto a bucket", "INVALID_INPUT", { kind: "rename", bucketId: "window", newId: "afk" }],
    ["a rename onto itself", "INVALID_INPUT", { kind: "rename", bucketId: "window", newId: "window" }],
    ["a creation where there is one", "INVALID_INPUT", { kind: "create", bucket: bucketOf("afk") }],
    ["a rename of none", "NO_SUCH_BUCKET", { kind: "rename", bucketId: "none", newId: "new" }],
    ["an update of none", "NO_SUCH_BUCKET", { kind: "update", bucketId: "none", patch: { client: "a" } }],
    ["a deletion of none", "NO_SUCH_BUCKET", { kind: "delete", bucketId: "none" }],
    ["a put into none", "NO_SUCH_BUCKET", { kind: "putEvents", bucketId: "none", drafts: [draftOf(1)] }],
    ["a put of nothing into none", "NO_SUCH_BUCKET", { kind: "putEvents", bucketId: "none", drafts: [] }],
    ["deletions in none", "NO_SUCH_BUCKET", { kind: "deleteEvents", bucketId: "none", eventIds: [1] }],
    ["a rename of another bucket", "INVALID_INPUT", { kind: "rename", bucketId: "other", newId: "new" }],
    ["a rename to another bucket", "INVALID_INPUT", { kind: "rename", bucketId: "window", newId: "other" }],
    ["a creation of another bucket", "INVALID_INPUT", { kind: "create", bucket: bucketOf("other") }],
    ["a put into another bucket", "INVALID_INPUT", { kind: "putEvents", bucketId: "other", drafts: [] }],
  ];
  const held = ["window", "afk", "none", "new"];
  for (const [what, code, change] of refused) {
    for (const changes of [
      [change],
      [
        fine,
        { kind: "delete", bucketId: "afk" } as const,
        { kind: "create", bucket: bucketOf("afk") } as const,
        change,
      ],
    ]) {
      await rejects("transactRefuses", code, what, () => transact(stage.storage, held, () => changes));
    }
  }
  await rejects("transactRefuses", "INVALID_INPUT", "a bucket twice", () =>
    transact(stage.storage, ["window", "afk", "window"], () => broken("transactRefuses", "the plan was called")),
  );
  await put(stage, reference, [draftOf(4)]);
  await finish(stage, reference, "behind refusals");
}

async function playThrown(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, [draftOf(1), draftOf(2)]);
  const reason = new RangeError("the plan gives up");
  async function* torn(): AsyncGenerator<EventDraft[]> {
    yield [draftOf(5), draftOf(6)];
    throw reason;
  }
  const plans = [
    () => {
      throw reason;
    },
    async (view: TransactionView) => {
      await view.countEvents("window");
      throw reason;
    },
    () => [
      { kind: "update", bucketId: "window", patch: { client: "new" } } as const,
      { kind: "create", bucket: bucketOf("afk"), drafts: [draftOf(1)] } as const,
      { kind: "record", recordKind: "journal", key: "a", expected: undefined, value: 1 } as const,
      { kind: "putEvents", bucketId: "window", drafts: torn() } as const,
    ],
  ];
  for (const [index, plan] of plans.entries()) {
    const outcome = await transact(stage.storage, ["window", "afk"], plan).catch((thrown: unknown) => thrown);
    same("transactPlan", outcome, reason, `what plan ${index} threw`);
  }
  same("transactPlan", await stage.storage.records("journal").get("a"), undefined, "a record");
  await finish(stage, reference, "behind plans that threw");
}

async function playOver(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(stage, reference, [draftOf(1)]);
  const views: TransactionView[] = [];
  await transact(stage.storage, ["window"], (view) => {
    views.push(view);
    return [];
  });
  const [view] = views;
  if (view === undefined) broken("transactPlan", "the plan was not called");
  await rejects("transactView", "INVALID_INPUT", "a read when it is over", () => view.read("window"));
  await rejects("transactView", "INVALID_INPUT", "a bucket when it is over", () => view.getBucket("window"));
  await rejects("transactView", "INVALID_INPUT", "a record when it is over", () => view.getRecord("a", "b"));
}
