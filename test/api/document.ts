// The document of a server, as the tests read it.
import { openApiDocument } from "../../src/api/openapi.js";
import { VERSION } from "../../src/util/version.js";

/** A reference, or what it would lead to. */
type Or<T> = T | { readonly $ref: string };

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly parameters: Readonly<Record<string, ApiParameter>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Or<ApiParameter>[];
  readonly requestBody?: { readonly required: boolean; readonly content: ApiContent };
  readonly responses: Readonly<Record<string, Or<ApiResponse>>>;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: unknown;
  readonly example: unknown;
}

export interface ApiResponse {
  readonly description: string;
  readonly content?: ApiContent;
  /** Types that `Accept` can ask for. Generated clients ignore them. */
  readonly "x-other-content"?: ApiContent;
}

type ApiContent = Readonly<Record<string, ApiMedia>>;

export interface ApiMedia {
  readonly schema: unknown;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The document of a server without a key, as it leaves the server. */
export function apiDocument(): ApiDocument {
  const made = openApiDocument({ version: VERSION, serverUrl: "..", needsKey: false });
  return JSON.parse(JSON.stringify(made)) as ApiDocument;
}

/** What a `#/...` reference names in a document; `undefined` for nothing. */
export function resolved(document: ApiDocument, reference: string): unknown {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((value, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, key);
    return isThere ? (value as Record<string, unknown>)[key] : undefined;
  }, document);
}
