/** The interfaces of commands: environment, options, server client and errors. */
import type { Agent } from 'node:http';

/** The environment a command runs in. */
export interface CommandEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes results to standard output. */
  print(text: string): void;
  /** Writes messages to standard error. */
  printError(text: string): void;
  /** Reads the named file; `-` is standard input. */
  readFile(name: string): Promise<Buffer>;
  /** Lists the files below a directory, without hidden ones, in order; undefined if it is not a directory. */
  listFiles(folder: string): Promise<readonly string[] | undefined>;
  removeFile(name: string): Promise<void>;
  /** Returns the path of a named file. */
  resolvePath(name: string): string;
  /** Writes the file atomically: on failure the previous content remains. Creates the directories of the file. */
  writeFile(name: string, pieces: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<void>;
  /** Prompts at the terminal; undefined without a terminal. */
  readonly prompt: ((question: string) => Promise<string>) | undefined;
  readonly wait: (ms: number) => Promise<void>;
}

export interface WriteOptions {
  /** The permissions of a new file. */
  readonly mode?: number;
  /** Called with the path of the complete file, before it gets its name. */
  readonly check?: (path: string) => Promise<void>;
}

/** Ends a command with an exit code. The message is one line; `further` holds additional lines. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  readonly further: readonly string[];

  constructor(message: string, options: { readonly exitCode?: number; readonly further?: readonly string[] } = {}) {
    super(message);
    this.exitCode = options.exitCode ?? 1;
    this.further = options.further ?? [];
  }
}

export interface Command {
  /** The arguments after the command name: `FILE [--mode M]`. */
  readonly usage: string;
  readonly summary: string;
  /** The names of the positional arguments, in order; those in brackets are optional. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, OptionKind>>;
  /** Whether it sends no password. */
  readonly isPublic?: true;
  /** Returns the exit code. */
  run(task: Task): Promise<number>;
}

/** A list contains the allowed values of the option. */
export type OptionKind = 'text' | 'texts' | 'flag' | readonly string[];

/** A parsed command line. */
export interface Task {
  readonly world: CommandEnvironment;
  readonly server: () => Promise<ServerClient>;
  readonly operand: (name: string) => string;
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly flag: (name: string) => boolean;
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Relative to the REST root, or to the host if `isBelowHost`. */
  readonly path: string;
  readonly isBelowHost?: true;
  readonly query?: readonly (readonly [name: string, value: string | undefined])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** Connections that are used again; without it, the request has a connection of its own. */
  readonly connections?: Agent;
}

/**
 * The bytes of a body, or for bodies that do not fit into memory a function that produces them: at once, or as a stream
 * of a known length.
 */
export type RequestBody =
  | { readonly type: string; readonly bytes: Uint8Array }
  | { readonly type: string; readonly pieces: () => Iterable<Uint8Array> }
  | { readonly type: string; readonly length: number; readonly stream: () => AsyncIterable<Uint8Array> };

/** The server that a command works on. */
export interface ServerClient {
  /** Returns a successful response; throws a `ResponseError` for any other status. */
  send(request: Request): Promise<Reply>;
  /** Opens at most so many connections, which stay open until they are destroyed. */
  openConnections(max: number): Promise<Agent>;
}

export interface Reply {
  readonly status: number;
  header(name: string): string | undefined;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The whole body. */
  text(): Promise<string>;
}

/** The server returned an error status. */
export class ResponseError extends CommandError {
  readonly status: number;
  /** The error code, as listed in docs/errors.md. */
  readonly code: string | undefined;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, members: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.members = members;
    this.code = typeof members['code'] === 'string' ? members['code'] : undefined;
  }
}
