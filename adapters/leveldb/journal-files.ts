import fs from "node:fs";
import path from "node:path";

/** Two files that are written in turn: while the content of one is carried over, the other one takes what comes. */
export interface JournalFiles {
  /** Hands bytes to the operating system, behind those before; all of them, or it is as if it had not been tried. */
  append(bytes: Uint8Array): void;
  /** What comes next goes to the other file, over what is there. */
  swap(): void;
  /** The content of both. */
  read(): Uint8Array[];
  /** Deletes both. */
  remove(): void;
}

const NAMES = ["journal-0", "journal-1"];

/** The journal in a folder. The files are made when they are first written to. */
export function journalFiles(folder: string): JournalFiles {
  const files = NAMES.map((name) => ({ name: path.join(folder, name), descriptor: undefined as number | undefined }));
  let current = 0;
  let position = 0;

  function descriptorOf(index: number): number {
    const file = files[index] as (typeof files)[number];
    // Not truncated: what is there may still be needed, and what is not does no harm.
    file.descriptor ??= fs.openSync(file.name, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    return file.descriptor;
  }

  return {
    append(bytes) {
      const descriptor = descriptorOf(current);
      let written = 0;
      while (written < bytes.length) {
        written += fs.writeSync(descriptor, bytes, written, bytes.length - written, position + written);
      }
      position += bytes.length;
    },
    swap() {
      current = 1 - current;
      position = 0;
    },
    read: () => files.filter(({ name }) => fs.existsSync(name)).map(({ name }) => fs.readFileSync(name)),
    remove() {
      for (const file of files) {
        if (file.descriptor !== undefined) fs.closeSync(file.descriptor);
        file.descriptor = undefined;
        fs.rmSync(file.name, { force: true });
      }
    },
  };
}
