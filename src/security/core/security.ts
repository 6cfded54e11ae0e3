/** What the parts of the security ring share. */
import type { Catalog } from '../../records/catalog.ts';
import type { Sealer } from './sealer.ts';

/** Tells the operator of something that is wrong but does not stop the server. */
export type Warn = (message: string, details: Readonly<Record<string, unknown>>) => void;

export interface Security {
  readonly catalog: Catalog;
  readonly sealer: Sealer;
  /** Whether the built-in administrator may log in. */
  readonly builtinAdmin: boolean;
  readonly warn: Warn;
}
