/** Reads a number above 0 from a flag. @throws TypeError */
export function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new TypeError(`--${name} is ${text}; a number above 0 is expected`);
  return value;
}

/** Runs a command. `--help` prints the usage; so do arguments that cannot be meant, with exit code 2. */
export async function runCommand<T>(parse: () => T, usage: string, run: (command: T) => Promise<void>): Promise<void> {
  if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
    console.log(usage);
    return;
  }
  let command: T;
  try {
    command = parse();
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exitCode = 2;
    return;
  }
  await run(command);
}
