// What is said when classic-level cannot be loaded: each cause has its own remedy.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { engineMissingError } from "../../adapters/leveldb/engine.js";

const test = suite("an engine that cannot be loaded");

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

const CASES: readonly (readonly [cause: unknown, says: RegExp])[] = [
  [
    failure("Cannot find package 'classic-level' imported from /a/b.js", "ERR_MODULE_NOT_FOUND"),
    /: the package is not installed; run npm install classic-level$/,
  ],
  [failure("Cannot find module 'classic-level'\nRequire stack:", "MODULE_NOT_FOUND"), /is not installed/],
  [failure('Dynamic require of "buffer" is not supported'), /it was bundled with your app \(Dynamic.*external: /],
  [
    failure("No native build was found for platform=linux arch=x64 runtime=node\n    loaded from: /a\n"),
    /its native build for linux x64 was not found.*external: .*install it again/,
  ],
  [failure("wrong ELF class: x", "ERR_DLOPEN_FAILED"), /does not fit this platform \(wrong ELF class: x\)/],
  [failure("Cannot find module 'abstract-level'\nmore", "MODULE_NOT_FOUND"), /cannot be loaded: .*abstract-level'$/],
  ["a text", /cannot be loaded: a text$/],
];

for (const [cause, says] of CASES) {
  test(`${String(cause).split("\n")[0]}`, () => {
    const error = engineMissingError(cause);
    assert.equal([error.code, error.cause], ["STORAGE_UNUSABLE", cause]);
    assert.match(error.message, says);
  });
}

test.run();
