// Which options of a server are refused.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServerOptions, createActivityServer } from "../../src/index.js";

const test = suite("options of createActivityServer");

const BAD_OPTIONS: Readonly<Record<string, object>> = {
  "no options of use": {},
  "no storage": { storage: undefined },
  "a storage of null": { storage: null },
  "a key that is optional": { auth: "optional", apiKey: "k" },
  "a limit of 0": { bodyLimitBytes: 0 },
  "a negative limit": { importLimitBytes: -1 },
  "a limit that is no number": { bodyLimitBytes: Number.NaN },
  "a limit in words": { importLimitBytes: "32 MiB" },
  "a pattern that is none": { corsRegex: ["("] },
  "a pattern that only closes": { corsRegex: ["a)|(b"] },
  "a text for a list of origins": { cors: "http://a.example" },
  "a text for a list of patterns": { corsRegex: "http://a" },
  "a text for a list of hosts": { allowedHosts: "localhost" },
  "a host with a port": { allowedHosts: ["localhost:3000"] },
  "a host with a scheme": { allowedHosts: ["https://aw.example"] },
  "an address without brackets": { allowedHosts: ["::1"] },
  "a pattern of hosts": { allowedHosts: ["*.aw.example"] },
  "an empty host": { allowedHosts: [""] },
  "hosts that are all allowed by true": { allowedHosts: true },
  "a logger that cannot log": { logger: {} },
  "a misspelt authorize": { authorise: () => false },
  "a misspelt allowedHosts": { allowedHost: ["box"] },
  "a name that objects inherit": { toString: "x" },
  "a switch in words": { trustProxy: "false" },
  "a clock that stands still": { clock: 5 },
  "a hostname that is none": { hostname: 5 },
  "a folder that is none": { webui: 5 },
  "no folder by null": { webui: null },
  "hooks that are none": { hooks: 5 },
  "an authorize that is none": { authorize: true },
};

for (const [name, options] of Object.entries(BAD_OPTIONS)) {
  test(`options that cannot work are refused at once: ${name}`, () => {
    const all = name.includes("storage") || name.startsWith("no ") ? options : { storage: memory(), ...options };
    assert.throws(
      () => createActivityServer(all as unknown as ActivityServerOptions),
      (error: unknown) => {
        return error instanceof TypeError || error instanceof SyntaxError;
      },
    );
  });
}

/** What the message says that an option must be, and what it is given. */
const NAMED: Readonly<Record<string, readonly [wanted: string, ...wrong: unknown[]]>> = {
  apiBrowser: ["true, false or a function", "yes", 1, null, {}],
  auth: ['"optional" or "required"', "", "Required", true, null],
  basePath: ["a path like /tracker", "tracker", "", "//a", "/a?b", "/a#b", "/a\\b", "http://a/b"],
  memoryBudgetBytes: ["a number of bytes above 0", 0, -1, Number.NaN, "64"],
};

for (const [name, [wanted, ...wrong]] of Object.entries(NAMED)) {
  test(`${name} must be ${wanted}`, () => {
    for (const value of wrong) {
      assert.throws(
        () => createActivityServer({ storage: memory(), [name]: value } as unknown as ActivityServerOptions),
        (error: Error) => error instanceof TypeError && error.message.startsWith(`${name} must be ${wanted}, got `),
        `${value}`,
      );
    }
  });
}

test("every form of a name is a host", () => {
  const allowedHosts = ["aw.example", "Box_1", "127.0.0.1", "[::1]", "<ip>", "müller.example"];
  createActivityServer({ storage: memory(), allowedHosts });
});

test.run();
