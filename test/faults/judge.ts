// Child program of judges.ts: damages copies of a small folder, opens them, reads them as clients do, and judges what
// came of it. In a process of its own, since damage may end it.
import { cpSync, rmSync } from "node:fs";
import "../runner/awake.mjs";
import { type Sample, salvageDamaged } from "../tools/damaged-folders.js";
import { applyDamage, type FileDamage, nameOf } from "./damage.js";
import { type Embedded, tryOpen } from "./embedded.js";
import type { Judged, Order } from "./judges.js";
import { type Answers, answersOf, type SmallFolder } from "./small-folder.js";

/** Applies a damage to a copy, opens it and reads everything; a folder that is refused is salvaged. */
async function judge(small: SmallFolder, { damage, copy, isAgain, salvages }: Order): Promise<Judged> {
  try {
    if (!isAgain) {
      // In memory and a few files, so the way over other threads would take most of the time.
      cpSync(small.folder, copy, { recursive: true });
      await applyDamage(copy, damage);
    }
    const result = await tryOpen(copy, (open) => judgeOpen(small, open));
    if ("value" in result) return result.value;
    if (!/^STORAGE_CORRUPT/.test(result.refused)) return wrong(`refused: ${result.refused}`);
    if (!salvages) return { verdict: "refused" };
    await salvageAfterwards({ ...small, folder: copy }, damage);
    return { verdict: "refused, salvaged" };
  } catch (error) {
    return wrong(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function wrong(detail: string): Judged {
  return { verdict: "wrong", detail };
}

/** Salvages what the refused opening has left. @throws what is wrong with the result */
async function salvageAfterwards(damaged: SmallFolder, damage: FileDamage): Promise<void> {
  const sample: Sample = { ...damaged, inSegments: new Set() };
  await salvageDamaged(sample, { name: nameOf(damage), apply: async () => undefined });
}

async function judgeOpen({ states }: SmallFolder, open: Embedded): Promise<Judged> {
  const answers = await answersOf(open);
  const index = states.findIndex((state) => isLike(answers, state));
  const isSaid = ((await open.storage.health?.())?.problems ?? []).length > 0 || open.errors.length > 0;
  if (index < 0 && isSaid && isPart(answers, states)) return { verdict: "part, said" };
  if (index < 0) return wrong(`never were all answers so: ${differencesOf(answers, states)}`);
  if ([...answers.values()].includes(undefined)) return isSaid ? { verdict: "error" } : wrong("no log tells the error");
  if (index === 0) return { verdict: "right" };
  return { verdict: isSaid ? "earlier, said" : "earlier" };
}

/** Whether all answers but errors are those of a state. */
function isLike(answers: Answers, state: Answers): boolean {
  return [...answers].every(([each, text]) => text === undefined || text === state.get(each));
}

/** Whether all events that were read, and settings, are some that were stored; others are missing. */
function isPart(answers: Answers, states: readonly Answers[]): boolean {
  return [...answers].every(([each, text]) => {
    if (text === undefined || !/events\?|settings/.test(each)) return true;
    const stored = new Set(states.flatMap((state) => partsOf(state.get(each))));
    return partsOf(text).every((part) => stored.has(part));
  });
}

function partsOf(text: string | undefined): string[] {
  if (!text?.startsWith("200 ")) return [];
  return Object.entries(JSON.parse(text.slice(4))).map(([key, value]) => {
    return JSON.stringify(/^\d+$/.test(key) ? value : [key, value]);
  });
}

/** What differs from the state that fits best. */
function differencesOf(answers: Answers, states: readonly Answers[]): string {
  const all = states.map((state) =>
    [...answers].filter(([each, text]) => text !== undefined && text !== state.get(each)),
  );
  const index = all.reduce((best, { length }, at) => (length < (all[best]?.length ?? length) ? at : best), 0);
  const differences = all[index]?.map(([each, text]) => `${each}: ${text?.slice(0, 120)}`);
  return `${differences?.join("; ")} (the best of ${states.length} is ${index})`;
}

let small: SmallFolder | undefined;

process.on("message", (message: SmallFolder | Order) => {
  if ("states" in message) small = message;
  else if (small !== undefined) void judge(small, message).then((judged) => tell(message, judged));
});

function tell({ copy }: Order, judged: Judged): void {
  rmSync(copy, { recursive: true, force: true });
  process.send?.(judged);
}
