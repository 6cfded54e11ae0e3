/** Dependencies that the security modules share. */
import type { UrlGate } from '../../gates/url-gate.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { ImportedDigests } from './imported-digest.ts';
import type { Sealer } from './sealer.ts';

/** Logs a warning for the operator about a problem that does not stop the server. */
export type Warn = (message: string, details: Readonly<Record<string, unknown>>) => void;

export interface Security {
  readonly catalog: Catalog;
  readonly sealer: Sealer;
  /** Whether the built-in administrator can log in. */
  readonly builtinAdmin: boolean;
  readonly warn: Warn;
  /** Decides which identity providers the server may contact. */
  readonly urlGate?: Pick<UrlGate, 'check'>;
  /** Verifies password digests of other servers. Without it, they match no password. */
  readonly importedDigests?: ImportedDigests;
  /** Whether headers of some proxies are trusted. */
  readonly trustsProxies?: boolean;
}
