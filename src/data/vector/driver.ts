/** What makes a vector source out of connection parameters. */
import type { VectorSource } from './port.ts';

/** As a client gave them, secrets included; only drivers ever see these. */
export type ConnectionParameters = Readonly<Record<string, string>>;

export interface DriverContext {
  /** Where a file or folder that a parameter names really is, if it may be used there; throws a Problem otherwise. There need not be anything yet. */
  resolvePath(named: string): Promise<string>;
}

export interface VectorDriver {
  /** What the store's `type` says, such as `PostGIS`. */
  readonly type: string;
  /** Whether these parameters mean this driver. */
  accepts(parameters: ConnectionParameters): boolean;
  /** The names it understands; any other is refused, since a misspelt one would be silently without effect. */
  readonly parameterNames: ReadonlySet<string>;
  /** Those that name files or folders of the server: they pass the path gate before anything is stored. */
  readonly pathParameters?: readonly string[];
  /** The host that a store with these parameters connects to, in small letters; absent where none is. */
  hostOf?(parameters: ConnectionParameters): string;
  /** What is wrong with the values, without connecting to anything; undefined when nothing is. */
  objection(parameters: ConnectionParameters): { readonly parameter: string; readonly reason: string } | undefined;
  open(parameters: ConnectionParameters, context: DriverContext): Promise<VectorSource>;
}

/** The parameters that are secrets in every driver. */
export const secretParameters: ReadonlySet<string> = new Set(['passwd', 'password']);
