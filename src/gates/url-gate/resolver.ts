/** Resolves host names to network addresses. */
import { lookup } from 'node:dns/promises';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Returns every address of a host; rejects if there is none. */
export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Resolves like the system, including the hosts file. */
export const systemResolver: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};
