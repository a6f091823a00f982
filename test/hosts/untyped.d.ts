// What the tests use of frameworks that bring no types.

declare module "express" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Next = (error?: unknown) => void;
  type Request = IncomingMessage & { readonly body?: unknown; readonly originalUrl: string };
  type Response = ServerResponse & {
    send(body: string): void;
    json(body: unknown): void;
    status(code: number): Response;
  };
  type Handler = (request: Request, response: Response, next: Next) => unknown;

  interface Application {
    (request: IncomingMessage, response: ServerResponse): void;
    use(...handlers: readonly Handler[]): Application;
    use(path: string, ...handlers: readonly Handler[]): Application;
    get(path: string, handler: Handler): Application;
    post(path: string, ...handlers: readonly Handler[]): Application;
  }

  interface ParserOptions {
    readonly limit?: string;
    readonly type?: string;
    readonly strict?: boolean;
    readonly extended?: boolean;
  }

  interface Express {
    (): Application;
    json(options?: ParserOptions): Handler;
    raw(options?: ParserOptions): Handler;
    text(options?: ParserOptions): Handler;
    urlencoded(options?: ParserOptions): Handler;
    Router(): Application;
  }

  const express: Express;
  export = express;
}

declare module "koa" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Context {
    readonly req: IncomingMessage & { body?: unknown };
    readonly res: ServerResponse;
    readonly request: { readonly body?: unknown };
    readonly method: string;
    readonly path: string;
    status: number;
    body: unknown;
    respond: boolean;
  }

  class Koa {
    use(middleware: (context: Context, next: () => Promise<void>) => unknown): Koa;
    on(event: "error", listener: (error: unknown) => void): Koa;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }

  export = Koa;
}

declare module "@koa/bodyparser" {
  import type { Context } from "koa";

  export function bodyParser(options: {
    readonly jsonLimit?: string;
    readonly enableTypes?: readonly string[];
    readonly extendTypes?: Readonly<Record<string, readonly string[]>>;
  }): (context: Context, next: () => Promise<void>) => Promise<void>;
}
