import { type EncryptionOptions, unstorage } from "../../adapters/unstorage/index.js";
import type { Storage } from "../../src/storage/storage.js";
import type { ContractOptions } from "../contract/index.js";
import type { DriverGround, Place } from "./unstorage-grounds.js";

/** Makes a storage that says of itself that it keeps data, since the places outlive it. */
export function openAt(place: Place, encryption?: EncryptionOptions): Storage {
  return unstorage({ storage: place.instance(), durability: "process-crash", ...(encryption && { encryption }) });
}

/** How the contract suite gets at storages on a driver. */
export function contractOn(
  ground: DriverGround,
  encryption?: EncryptionOptions,
): Required<Pick<ContractOptions, "create" | "reopen">> {
  const places = new Map<Storage, Place>();
  function open(place: Place): Storage {
    const storage = openAt(place, encryption);
    places.set(storage, place);
    return storage;
  }
  return {
    create: async () => open(await ground.newPlace()),
    async reopen(storage) {
      await storage.close();
      return open(places.get(storage) as Place);
    },
  };
}
