/** Host names -> network addresses. */
import { lookup } from 'node:dns/promises';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a host; fails when there is none. */
export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>;

/** What the machine itself would connect to, its hosts file included. */
export const systemResolver: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};
