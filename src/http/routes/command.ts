/** A command: a write of the route table, called with values instead of a request. */
import type { Json } from '../../lib/json/value.ts';

export type CommandMethod = 'POST' | 'PUT' | 'DELETE';

/** What a command receives besides the variables of its path. */
export interface CommandInput {
  readonly query?: Readonly<Record<string, string>>;
  /** Converted and validated by the document reader of the route. */
  readonly document?: Json;
  /** A file instead of a document. */
  readonly file?: CommandFile;
}

export interface CommandFile {
  readonly content: string | Uint8Array;
  readonly mediaType: string;
}

export interface Command extends CommandInput {
  readonly method: CommandMethod;
  /** The pattern of the route below the REST root. */
  readonly pattern: string;
  /** The variables of the pattern, decoded. */
  readonly params: Readonly<Record<string, string>>;
}
