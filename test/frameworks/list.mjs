// The frameworks that are tried, each by its example under docs/examples, with its own production commands.

/**
 * @typedef {object} Framework
 * @property {string} name  what the command line calls it
 * @property {string} example  folder under docs/examples
 * @property {string} package  the package whose version is reported
 * @property {readonly string[][]} build  commands before it can start; the first word is a program of the project
 * @property {readonly string[]} start  the command that serves, or that runs tests
 * @property {"server" | "sessions" | "tests"} kind  `sessions`: every request needs a session of the app;
 *   `tests`: the command itself says whether all is well
 * @property {{ path: string, body: object }} [login]  the request that creates a session
 * @property {string} [base]  where the server is mounted
 * @property {string} [node]  major version of Node that it is tried with, where it needs a newer one than this project
 * @property {boolean} [cutsFeeds]  whether it ends at SIGTERM without waiting for any response
 * @property {boolean} keepsData  whether its example keeps data in a folder
 * @property {Readonly<Record<string, string>>} [env]  variables that its page tells people to set
 */

/** For frameworks that need 22 or newer. */
const NEWER = "24";

/** @type {(name: string, more?: Partial<Framework>) => Framework} */
const program = (name, more = {}) => ({
  name,
  example: name,
  package: name,
  build: [],
  start: ["node", "main.js"],
  kind: "server",
  base: "/tracker",
  keepsData: true,
  ...more,
});

const LOGIN = { path: "/login", body: { name: "ada" } };
const SIGN_UP = {
  path: "/api/auth/sign-up/email",
  body: { name: "ada", email: "ada@example.com", password: "correct horse" },
};

/** An example whose app decides by its own sessions. */
const sessions = (name, more = {}) =>
  program(name, {
    kind: "sessions",
    keepsData: false,
    login: LOGIN,
    env: { SESSION_SECRET: "a secret of the tests, long enough" },
    ...more,
  });

/** @type {readonly Framework[]} */
export const FRAMEWORKS = [
  program("express", { keepsData: false }),
  program("fastify", { keepsData: false }),
  program("hono", { keepsData: false }),
  program("koa", { keepsData: false }),
  program("h3", { keepsData: false }),
  program("nest", { package: "@nestjs/core", build: [["tsc"]], start: ["node", "dist/main.js"] }),
  program("next", { build: [["next", "build"]], start: ["next", "start", "-H", "127.0.0.1"] }),
  program("sveltekit", {
    package: "@sveltejs/kit",
    build: [["vite", "build"]],
    start: ["node", "build"],
    env: { BODY_SIZE_LIMIT: "1G" },
    node: NEWER,
  }),
  program("sveltekit-2", {
    package: "@sveltejs/kit",
    build: [["vite", "build"]],
    start: ["node", "build"],
    env: { BODY_SIZE_LIMIT: "1G" },
  }),
  program("astro", {
    build: [["astro", "build"]],
    start: ["node", "dist/server/entry.mjs"],
    node: NEWER,
    cutsFeeds: true,
  }),
  program("nitro", { build: [["nitro", "build"]], start: ["node", ".output/server/index.mjs"] }),
  program("nuxt", { build: [["nuxt", "build"]], start: ["node", ".output/server/index.mjs"], node: NEWER }),
  program("bun", { start: ["bun", "main.js"] }),
  program("deno", { start: ["deno", "run", "-A", "main.js"] }),
  program("electron", { package: "esbuild", build: [["node", "build.js"]], start: ["node", "dist/main.cjs"] }),
  sessions("fastify-session", { package: "@fastify/session" }),
  sessions("better-auth", { login: SIGN_UP, env: { BETTER_AUTH_SECRET: "a secret of the tests, long enough" } }),
  sessions("next-session", {
    package: "next",
    build: [["next", "build"]],
    start: ["next", "start", "-H", "127.0.0.1"],
  }),
  sessions("nuxt-session", {
    package: "nuxt",
    build: [["nuxt", "build"]],
    start: ["node", ".output/server/index.mjs"],
    node: NEWER,
  }),
  program("vitest", { node: NEWER, start: ["vitest", "run"], kind: "tests" }),
  program("jest", { start: ["jest"], kind: "tests" }),
];
