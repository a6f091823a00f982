import { ActivityError, saysNoSpace, storageFull } from "../../errors.js";

/** A temporary file that other users cannot read, deleted when it is closed. */
export interface SpoolFile {
  /** Appends bytes. @returns their position */
  append(bytes: Uint8Array): Promise<number>;
  /** Reads up to `length` bytes; fewer at the end of the file. */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Whether this platform has temporary files. */
export function hasSpoolFiles(): boolean {
  return modules() !== undefined;
}

/**
 * Opens such a file in the folder for temporary files.
 *
 * @throws ActivityError `STORAGE_FULL` without space, `STORAGE_FAILED` if no file can be created; `append` as well
 */
export async function openSpoolFile(): Promise<SpoolFile> {
  const found = modules();
  if (found === undefined) throw new TypeError("temporary files need Node");
  const { fs, os, path } = found;
  const name = path.join(os.tmpdir(), `activity-server-${crypto.randomUUID()}.tmp`);
  const handle = await fs.open(name, "wx+", 0o600).catch(refuse);
  // Deleted at once, so that nothing remains if the process is killed. If that is impossible, it is deleted at the end.
  const isGone = await fs.unlink(name).then(
    () => true,
    () => false,
  );
  let end = 0;
  return {
    async append(bytes) {
      const position = end;
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done).catch(refuse);
        done += bytesWritten;
      }
      end = position + bytes.length;
      return position;
    },
    async read(position, length) {
      const bytes = new Uint8Array(Math.min(length, end - position));
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done).catch(refuse);
        if (bytesRead === 0) return refuse(new Error("the temporary file is shorter than the data written to it"));
        done += bytesRead;
      }
      return bytes;
    },
    async close() {
      await handle.close();
      if (!isGone) await fs.unlink(name).catch(() => undefined);
    },
  };
}

function refuse(cause: unknown): never {
  if (saysNoSpace(cause)) throw storageFull({ cause });
  throw new ActivityError("STORAGE_FAILED", "cannot write the import to a temporary file", { cause });
}

interface Modules {
  readonly fs: typeof import("node:fs/promises");
  readonly os: typeof import("node:os");
  readonly path: typeof import("node:path");
}

/** Not imported: the core runs without Node. */
function modules(): Modules | undefined {
  const load = globalThis.process?.getBuiltinModule;
  const [fs, os, path] = [load?.("fs/promises"), load?.("os"), load?.("path")];
  return fs && os && path && { fs, os, path };
}
