import { unstorage } from "../../adapters/unstorage/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { Reference } from "../contract/reference.js";
import type { Point } from "./fault-play.js";
import { PRELUDE } from "./fault-script.js";
import { type Failure, FaultyStorage } from "./faulty-storage.js";

type Ground = { readonly items: ReadonlyMap<string, string>; readonly reference: Reference };

/** What the script starts from; made once, copied for each point. */
const ground: Promise<Ground> = prepare();

async function prepare(): Promise<Ground> {
  const driver = new FaultyStorage();
  const storage = unstorage({ storage: driver });
  const reference = new Reference();
  for (const call of PRELUDE) call.apply(reference, await call.make(storage));
  await storage.close();
  return { items: driver.items, reference };
}

/** A storage on a driver that can be made to fail, with what the script starts from. */
export async function pointOf(): Promise<Point<Failure>> {
  const { items, reference } = await ground;
  const driver = new FaultyStorage(items);
  // No cache: segments come from the driver every time.
  const open = async (): Promise<Storage> => {
    const storage = unstorage({ storage: driver, cacheBytes: 0 });
    await storage.ready();
    return storage;
  };
  return { engine: driver, storage: await open(), reference: reference.copy(), open };
}
