// What a script imports and the few globals it has. `trailblaze check --types` writes this file anew.

declare module "@trailblaze/scripting" {
  /** What a tool says of itself. Without a schema, those of the types Input and Output hold. */
  export interface Spec {
    name?: string;
    title?: string;
    description?: string;
    /** action (default): it does something; query: it looks; assertion: it fails unless something holds. */
    kind?: "action" | "query" | "assertion";
    inputSchema?: object;
    outputSchema?: object;
    supportedPlatforms?: string[];
    supportedDrivers?: string[];
    toolset?: string;
    groups?: string[];
    surfaceToLlm?: boolean;
    isRecordable?: boolean;
    isDelegating?: boolean;
    isVerification?: boolean;
    requiresContext?: boolean;
    requiresHost?: boolean;
    needsModel?: boolean;
    destructive?: boolean;
    idempotent?: boolean;
    /** Milliseconds of one call; 30,000 by default, 600,000 at most. */
    timeout?: number;
    /** Hosts that fetch may reach: "api.shop.test", "localhost:8080", "*.shop.test". */
    hosts?: string[];
    /** Files below the workspace. */
    files?: { read?: string[]; write?: string[] };
    /** Arguments that hold URLs the tool opens and names of files it reads and writes. */
    effects?: { opens?: string[]; reads?: string[]; writes?: string[] };
    runtime?: "inProcess" | "subprocess";
    /** With runtime "subprocess": it acts on something of its own, such as a database, which Trailblaze cannot see. */
    effect?: "external";
    /** Secrets that the tool gets from memory, by name. With hosts, files and secrets a tool has to be trusted first. */
    secrets?: string[];
    /** Arguments that may hold secrets: what is given for one is masked. */
    secretArguments?: string[];
  }

  /** The session's memory. In place of a secret's value stands a name, which other tools take as the value. */
  export interface Memory {
    get(name: string): any;
    set(name: string, value: unknown): void;
    has(name: string): boolean;
    keys(): string[];
    delete(name: string): void;
    interpolate(text: string): string;
    getJson(name: string): any;
    setJson(name: string, value: unknown): void;
  }

  export interface Device {
    id: string;
    platform: string;
    driver: string;
    driverType: string;
    width: number;
    height: number;
    widthPixels: number;
    heightPixels: number;
  }

  export interface Target {
    id?: string;
    displayName?: string;
    appIds?: string[];
    appId?: string;
    baseUrls?: string[];
    resolvedBaseUrl?: string;
    resolveAppId(o?: { defaultAppId?: string }): string | undefined;
    resolveBaseUrl(o?: { defaultBaseUrl?: string }): string | undefined;
  }

  /** What calls other tools. A call gives the tool's value, else its text, and throws a ToolError when the tool fails. */
  export interface Client {
    tools: Tools;
    callTool(name: string, args?: object): Promise<any>;
  }

  export interface Context extends Client {
    /** Calls tools on the device of another actor of the trail that is played. */
    on(actor: string): Client;
    memory: Memory;
    device?: Device;
    target?: Target;
    sessionId?: string;
    invocationId?: string;
    files: { read(path: string): Promise<string>; write(path: string, text: string): Promise<void> };
    sleep(ms: number): Promise<void>;
    log(...parts: unknown[]): void;
  }

  export class ToolError extends Error {
    tool?: string;
    kind: string;
    hint: string;
    value?: any;
  }

  /** selectors.web({ … }) is { web: { … } }, as recordings write a selector. */
  export const selectors: { [kind: string]: (match: object) => Record<string, any> };

  /** What stood on the screen, for the selectors that were asked for. */
  export interface ViewHierarchy {
    visible(selector: object): boolean;
    find(selector: object): any;
    findAll(selector: object): any[];
  }
  export function captureViewHierarchy(client: Client, selectors: readonly object[]): Promise<ViewHierarchy>;
  /** An action for a screen that may be there, such as a banner. */
  export interface ConditionalAction {
    readonly id: string;
    readonly description: string;
    readonly condition: (view: ViewHierarchy) => boolean;
    readonly action: () => Promise<void>;
    readonly postcondition?: (view: ViewHierarchy) => boolean;
  }
  export class ConditionalActionFailedError extends Error {
    readonly conditionalActionId: string;
    readonly cause: unknown;
  }
  /** Does those actions whose condition holds and whose postcondition does not, and checks the postcondition after each. */
  export function runConditionalActions(
    client: Client,
    actions: readonly ConditionalAction[],
    view: ViewHierarchy,
  ): Promise<{ handled: string[] }>;

  export type Handler<Input, Output> = (args: Input, ctx: Context, client: Client) => Promise<Output> | Output;
  export type Tool<Input, Output> = (args: Input, ctx: Context, client?: Client) => Promise<Output>;

  export const trailblaze: {
    tool<Input = {}, Output = unknown>(handler: Handler<Input, Output>): Tool<Input, Output>;
    tool<Input = {}, Output = unknown>(spec: Spec, handler: Handler<Input, Output>): Tool<Input, Output>;
    tool<Input = {}, Output = unknown>(name: string, spec: Spec, handler: Handler<Input, Output>): Tool<Input, Output>;
    run(): void;
  };
}

declare module "@trailblaze/scripting/testing" {
  import type { Client, Context } from "@trailblaze/scripting";
  export interface Response {
    textContent?: string;
    structuredContent?: unknown;
    errorMessage?: string;
  }
  export interface MockClient extends Client {
    calls: { tool: string; args: any }[];
    stub(tool: string, response: Response | ((args: any) => Response | Promise<Response>)): void;
    reset(): void;
  }
  export function createMockClient(): MockClient;
  export interface QueuedFindMatchesClient extends MockClient {
    queueFindMatches(answers: object[][]): void;
    queueWaitUntilNotVisible(answers: boolean[]): void;
  }
  export function createQueuedFindMatchesClient(): QueuedFindMatchesClient;
  export function createMockContext(o?: {
    platform?: string;
    memory?: Record<string, unknown>;
    target?: object;
    device?: object;
    client?: MockClient;
  }): Context;
  export function describe(name: string, fn: () => void): void;
  export function test(name: string, fn: () => unknown): void;
  export function it(name: string, fn: () => unknown): void;
  export function beforeEach(fn: () => unknown): void;
  export function expect(got: unknown): any;
}

declare module "bun:test" {
  export { beforeEach, describe, expect, it, test } from "@trailblaze/scripting/testing";
}

declare var console: { log(...parts: unknown[]): void; info(...parts: unknown[]): void; debug(...parts: unknown[]): void; warn(...parts: unknown[]): void; error(...parts: unknown[]): void };
declare function setTimeout(fn: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id: number | undefined): void;
declare function setInterval(fn: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearInterval(id: number | undefined): void;
declare function queueMicrotask(fn: () => void): void;
declare function structuredClone<T>(value: T): T;
/** Takes characters up to U+00FF. */
declare function btoa(text: string): string;
declare function atob(text: string): string;
declare var performance: { readonly timeOrigin: number; now(): number };
declare var crypto: {
  randomUUID(): string;
  getRandomValues<T extends Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array>(to: T): T;
};
declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
}
/** Decodes utf-8, all bytes at once. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  decode(bytes?: ArrayBuffer | ArrayBufferView): string;
}
declare class Headers {
  constructor(init?: Record<string, string> | Iterable<[string, string]>);
  append(name: string, value: string): void;
  set(name: string, value: string): void;
  get(name: string): string | null;
  has(name: string): boolean;
  delete(name: string): void;
  forEach(fn: (value: string, name: string, all: Headers) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare class URLSearchParams {
  constructor(init?: string | Record<string, unknown> | Iterable<[string, string]>);
  readonly size: number;
  append(name: string, value: unknown): void;
  set(name: string, value: unknown): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  delete(name: string, value?: string): void;
  sort(): void;
  forEach(fn: (value: string, name: string, all: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
/** A host with other letters than ASCII is written in its ASCII form. */
declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  readonly href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}
declare function fetch(
  url: string | URL,
  init?: { method?: string; headers?: Record<string, string> | Headers; body?: string | URLSearchParams },
): Promise<{
  ok: boolean;
  status: number;
  url: string;
  headers: { get(name: string): string | null; has(name: string): boolean };
  text(): Promise<string>;
  json(): Promise<any>;
}>;
