// Checks the options of the adapters in this package.

/** @throws TypeError for an unknown option */
export function refuseUnknownOptions(adapter: string, options: object, names: ReadonlySet<string>): void {
  for (const name of Object.keys(options)) {
    if (!names.has(name))
      throw new TypeError(`${adapter} has no option ${name}; valid options are ${[...names].join(", ")}`);
  }
}

/** @throws TypeError for an unknown durability, for adapters that offer these two; `undefined` selects the default */
export function checkDurability(durability: unknown): void {
  if (durability === undefined || durability === "process-crash" || durability === "power-loss") return;
  throw new TypeError(`durability must be "process-crash" or "power-loss", got ${String(durability)}`);
}
