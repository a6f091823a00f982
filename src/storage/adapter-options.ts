// Checks of what somebody passes to an adapter that comes with the package.

/** @throws TypeError for an option that there is not */
export function refuseUnknownOptions(adapter: string, options: object, names: ReadonlySet<string>): void {
  for (const name of Object.keys(options)) {
    if (!names.has(name)) throw new TypeError(`${adapter} has no option ${name}; there are ${[...names].join(", ")}`);
  }
}

/** @throws TypeError for what is no durability of an adapter that offers these two; `undefined` = its default */
export function checkDurability(durability: unknown): void {
  if (durability === undefined || durability === "process-crash" || durability === "power-loss") return;
  throw new TypeError(`durability is ${String(durability)}; "process-crash" or "power-loss" is expected`);
}
