import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Step } from "./trace.js";

const PAGE = 4096;

/**
 * What is left of the operations that were not forced when the power went.
 *
 * - `nothing`: what was forced, alone;
 * - `everything`: all of them, as after `kill -9`;
 * - `prefix`: those before a random one, as a disk leaves them that keeps the order;
 * - `pages`: of each folder a prefix of its changes, of each file any of its pages, also the later ones alone;
 * - `names`: all changes of folders, and of files the lengths alone: their bytes are zeros;
 * - `some names`: any changes of folders in any order, as POSIX allows without a force of the folder, and all of files.
 */
export const LEFTOVERS = ["nothing", "everything", "prefix", "pages", "names", "some names"] as const;
export type Leftover = (typeof LEFTOVERS)[number];

/** A change of a file that was not forced yet. */
type Change =
  | { readonly kind: "write"; readonly order: number; readonly offset: number; readonly data: Buffer }
  | { readonly kind: "truncate"; readonly order: number; readonly length: number };

/** A change of a folder that was not forced yet: names that appear and go, together. */
interface NameChange {
  readonly order: number;
  readonly put?: readonly [name: string, inode: Inode];
  readonly remove?: string;
  /** Half of a move between two folders; the other half must be there before this one. */
  readonly after?: Inode;
}

interface FileInode {
  readonly kind: "file";
  /** What was forced, up to the first change in `changes`. */
  forced: Buffer;
  /** In their order. */
  changes: FileChange[];
}

interface FileChange {
  readonly change: Change;
  /** `doomed`: a force of it failed, and no later one brings it to the disk. */
  fate: "pending" | "forced" | "doomed";
}

interface FolderInode {
  readonly kind: "folder";
  readonly forced: Map<string, Inode>;
  pending: NameChange[];
  /** As the program sees it. */
  readonly now: Map<string, Inode>;
}

type Inode = FileInode | FolderInode;

/** A disk on which a trace is played: knows what was forced and what was not. */
export class Disk {
  readonly #top: string;
  readonly #root: FolderInode = newFolder();
  #order = 0;

  /** @param top the folder that was watched; it is there from the beginning */
  constructor(top: string) {
    this.#top = top;
  }

  /** Plays one step. */
  play(step: Step): void {
    const order = ++this.#order;
    const { path } = step;
    switch (step.kind) {
      case "write":
        this.#change(step, { kind: "write", order, offset: step.offset, data: step.data });
        break;
      case "truncate":
        this.#change(step, { kind: "truncate", order, length: step.offset });
        break;
      case "sync":
        settle(this.#file(step), "forced");
        break;
      case "syncFailed":
        settle(this.#file(step), "doomed");
        break;
      case "syncFolder":
        forceNames(this.#find(path));
        break;
      case "create":
        this.#put(path, this.#opened(step.inode, newFile()), order);
        break;
      case "mkdir":
        this.#put(path, newFolder(), order);
        break;
      case "link":
        this.#putOld(step.path, step.target, order);
        break;
      case "rename":
        this.#rename(step.path, step.target, order);
        break;
      case "unlink":
      case "rmdir":
        this.#remove(path, order);
        break;
      default:
        break;
    }
  }

  /** Writes what a power cut leaves into a real folder, which must not exist. */
  leave(leftover: Leftover, random: () => number, target: string): void {
    const last = this.#order;
    // One place in the order for the whole disk.
    const upTo = leftover === "prefix" ? Math.floor(random() * (last + 1)) : last;
    const choice = { leftover, random, upTo };
    materialize(this.#root, choice, target);
  }

  /** Open files are written to by descriptor, whatever their names are meanwhile. */
  readonly #byNumber: Map<bigint, FileInode> = new Map();

  #opened(number: bigint, inode: FileInode): FileInode {
    this.#byNumber.set(number, inode);
    return inode;
  }

  #file(step: Step): FileInode | undefined {
    return this.#byNumber.get(step.inode);
  }

  #change(step: Step, change: Change): void {
    this.#file(step)?.changes.push({ change, fate: "pending" });
  }

  #find(path: string): Inode | undefined {
    if (path === this.#top) return this.#root;
    const parent = this.#find(dirname(path));
    return parent?.kind === "folder" ? parent.now.get(basename(path)) : undefined;
  }

  #folder(path: string): FolderInode {
    const found = this.#find(path);
    if (found?.kind !== "folder") throw new Error(`the trace knows no folder ${path}`);
    return found;
  }

  #put(path: string, inode: Inode, order: number, remove?: string): void {
    const folder = this.#folder(dirname(path));
    const name = basename(path);
    folder.now.set(name, inode);
    if (remove !== undefined) folder.now.delete(remove);
    folder.pending.push({ order, put: [name, inode], ...(remove === undefined ? {} : { remove }) });
  }

  #remove(path: string, order: number, after?: Inode): void {
    const folder = this.#folder(dirname(path));
    folder.now.delete(basename(path));
    folder.pending.push({ order, remove: basename(path), ...(after === undefined ? {} : { after }) });
  }

  #putOld(from: string, to: string, order: number): void {
    const inode = this.#find(from);
    if (inode !== undefined) this.#put(to, inode, order);
  }

  #rename(from: string, to: string, order: number): void {
    const inode = this.#find(from);
    if (inode === undefined) throw new Error(`the trace knows no file ${from}`);
    if (dirname(from) === dirname(to)) {
      this.#put(to, inode, order, basename(from));
      return;
    }
    this.#put(to, inode, order);
    this.#remove(from, order, inode);
  }
}

function newFile(): FileInode {
  return { kind: "file", forced: Buffer.alloc(0), changes: [] };
}

function newFolder(): FolderInode {
  return { kind: "folder", forced: new Map(), pending: [], now: new Map() };
}

/** What a force, or one that failed, makes of all changes that are pending. */
function settle(file: FileInode | undefined, fate: "forced" | "doomed"): void {
  if (file === undefined) return;
  for (const entry of file.changes) if (entry.fate === "pending") entry.fate = fate;
  if (file.changes.some((entry) => entry.fate === "doomed")) return;
  file.forced = applied(
    file.forced,
    file.changes.map(({ change }) => change),
  );
  file.changes = [];
}

function forceNames(folder: Inode | undefined): void {
  if (folder?.kind !== "folder") return;
  for (const change of folder.pending) applyName(folder.forced, change);
  folder.pending = [];
}

function applyName(names: Map<string, Inode>, { put, remove }: NameChange): void {
  if (remove !== undefined) names.delete(remove);
  if (put !== undefined) names.set(...put);
}

/** The content with changes made to it, in their order. */
function applied(content: Buffer, changes: readonly Change[]): Buffer {
  let length = content.length;
  let capacity = length;
  for (const change of changes) {
    if (change.kind === "write") capacity = Math.max(capacity, change.offset + change.data.length);
    else capacity = Math.max(capacity, change.length);
  }
  const bytes = Buffer.alloc(capacity);
  content.copy(bytes);
  for (const change of changes) {
    if (change.kind === "write") {
      change.data.copy(bytes, change.offset);
      length = Math.max(length, change.offset + change.data.length);
    } else {
      if (change.length < length) bytes.fill(0, change.length, length);
      length = change.length;
    }
  }
  return bytes.subarray(0, length);
}

interface Choice {
  readonly leftover: Leftover;
  readonly random: () => number;
  /** The last operation that is there, of those in order. */
  readonly upTo: number;
}

function materialize(folder: FolderInode, choice: Choice, target: string): void {
  mkdirSync(target);
  for (const [name, inode] of namesLeft(folder, choice)) {
    const path = join(target, name);
    if (inode.kind === "folder") materialize(inode, choice, path);
    else writeFileSync(path, contentLeft(inode, choice));
  }
}

function namesLeft(folder: FolderInode, { leftover, random, upTo }: Choice): Map<string, Inode> {
  const names = new Map(folder.forced);
  if (leftover === "nothing") return names;
  if (leftover === "some names") {
    for (const change of folder.pending) if (change.after === undefined && random() < 0.5) applyName(names, change);
    return names;
  }
  const count = leftover === "pages" ? Math.floor(random() * (folder.pending.length + 1)) : folder.pending.length;
  for (const change of folder.pending.slice(0, count)) {
    if (leftover === "prefix" && change.order > upTo) break;
    // A move is made whole or not at all; a folder whose other half is missing keeps the old name.
    if (leftover === "pages" && change.after !== undefined) continue;
    applyName(names, change);
  }
  return names;
}

function contentLeft({ forced, changes }: FileInode, choice: Choice): Buffer {
  const { leftover, random } = choice;
  const all = changes.map(({ change }) => change);
  if (leftover === "everything" || leftover === "some names") return applied(forced, all);
  const kept = changes.flatMap(({ change, fate }) => {
    if (fate === "forced") return [change];
    // What a failed force left behind is lost or not, whatever came later.
    const isThere = fate === "doomed" ? random() < 0.5 : leftover === "prefix" && change.order <= choice.upTo;
    return leftover !== "nothing" && isThere ? [change] : [];
  });
  if (leftover === "nothing" || leftover === "prefix") return applied(forced, kept);
  const pending = changes.filter(({ fate }) => fate === "pending").map(({ change }) => change);
  const pages = leftover === "pages" ? pagesLeft(pending, random) : [];
  const content = applied(forced, inOrder([...kept, ...pages]));
  // The length is kept apart from the pages, and may be there before them.
  const length = applied(forced, all).length;
  if (content.length >= length || (leftover === "pages" && random() < 0.5)) return content;
  return Buffer.concat([content, Buffer.alloc(length - content.length)]);
}

function inOrder(changes: readonly Change[]): Change[] {
  return [...changes].sort((a, b) => a.order - b.order);
}

/** Of each page a prefix of what was written to it; of a part of the pages all or nothing. */
function pagesLeft(changes: readonly Change[], random: () => number): Change[] {
  const share = [0.1, 0.5, 0.9][Math.floor(random() * 3)] ?? 0.5;
  const pages = new Map<number, Change[]>();
  for (const piece of changes.flatMap(inPages)) {
    const page = piece.kind === "write" ? Math.floor(piece.offset / PAGE) : -1;
    pages.set(page, [...(pages.get(page) ?? []), piece]);
  }
  return [...pages.values()].flatMap((pieces) => {
    if (random() < 0.2) return pieces.slice(0, Math.floor(random() * pieces.length));
    return random() < share ? pieces : [];
  });
}

/** A write in pieces that end where pages end. */
function inPages(change: Change): Change[] {
  if (change.kind === "truncate") return [change];
  const pieces: Change[] = [];
  let from = 0;
  while (from < change.data.length) {
    const to = Math.min(change.data.length, from + PAGE - ((change.offset + from) % PAGE));
    pieces.push({ ...change, offset: change.offset + from, data: change.data.subarray(from, to) });
    from = to;
  }
  return pieces;
}
