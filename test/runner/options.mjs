import path from "node:path";
import { ROOT } from "./places.mjs";

/** Reads the words behind `node test/run.mjs`. */
export function readOptions(words) {
  const names = [...words];
  const take = (flag) => {
    const at = names.indexOf(flag);
    if (at >= 0) names.splice(at, 1);
    return at >= 0;
  };
  const dirAt = names.indexOf("--dir");
  const dir = dirAt < 0 ? undefined : path.resolve(names.splice(dirAt, 2)[1]);
  const isCovered = take("--coverage");
  const hasSecondChance = take("--again");
  const options = {
    hasSecondChance,
    isCovered,
    isLong: take("--long"),
    withLong: take("--with-long"),
    isRecorded: take("--record"),
    isWatched: take("--watch"),
  };
  const unknown = names.find((name) => name.startsWith("--"));
  if (unknown) throw new Error(`unknown option ${unknown}`);
  const isWanted = ({ name }) => names.length === 0 || names.some((each) => name.includes(each));
  return { ...options, names, isWanted, isWhole: dir === undefined, folder: dir ?? path.join(ROOT, "test") };
}
