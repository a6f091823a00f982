// What work is refused with.

/** Its code and its message; `done` when it is not refused. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    ({ code, message }: { readonly code?: string; readonly message: string }) => `${code}: ${message}`,
  );
}

/** Its code; `done` when it is not refused. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  const [code = ""] = (await refusalOf(work)).split(":");
  return code;
}
