/** What every command of the command line is given, and how it ends. */

/** The surroundings of a command. */
export interface CommandEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Results. */
  print(text: string): void;
  /** Everything else. */
  printError(text: string): void;
  /** The file of that name; `-` is standard input. */
  readFile(name: string): Promise<Buffer>;
  /** Writes the file whole, or leaves what was there. */
  writeFile(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Asks at the terminal; undefined where there is none. */
  readonly prompt: ((question: string) => Promise<string>) | undefined;
  readonly wait: (ms: number) => Promise<void>;
}

/** Ends a command: the message is one line, further lines tell more. */
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
  /** What follows its name: `FILE [--mode M]`. */
  readonly usage: string;
  readonly summary: string;
  /** What its words without dashes are called, in order. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, OptionKind>>;
  /** Gives the exit code. */
  run(task: Task): Promise<number>;
}

export type OptionKind = 'text' | 'texts' | 'flag';

/** A command as it was called. */
export interface Task {
  readonly world: CommandEnvironment;
  readonly server: () => Promise<ServerClient>;
  readonly operand: (name: string) => string;
  readonly text: (name: string) => string | undefined;
  readonly texts: (name: string) => readonly string[];
  readonly flag: (name: string) => boolean;
}

export interface Request {
  readonly method?: 'GET' | 'POST';
  /** Below the REST root. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string | undefined])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
}

/** The server that commands are for. */
export interface ServerClient {
  /** A reply that is well; any other is a `Refusal`. */
  send(request: Request): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  header(name: string): string | undefined;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** All of it. */
  text(): Promise<string>;
}

/** The server has said no. */
export class ResponseError extends CommandError {
  readonly status: number;
  /** What it is called in docs/errors.md. */
  readonly code: string | undefined;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, members: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.members = members;
    this.code = typeof members['code'] === 'string' ? members['code'] : undefined;
  }
}
