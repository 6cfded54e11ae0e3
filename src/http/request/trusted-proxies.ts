/** The proxies whose forwarding headers are trusted. */
import { BlockList, isIP } from 'node:net';

export interface TrustedProxies {
  includes(address: string): boolean;
}

export const noProxies: TrustedProxies = { includes: () => false };

/** Parses addresses, networks (`10.0.0.0/8`) and the word `loopback`; undefined if an entry is invalid. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies | undefined {
  const trusted = new BlockList();
  for (const entry of entries) {
    const [written = '', prefix, ...more] = entry.split('/');
    const address = toPlainAddress(written);
    const family = more.length > 0 ? 0 : isIP(address);
    if (entry === 'loopback') {
      trusted.addSubnet('127.0.0.0', 8, 'ipv4');
      trusted.addAddress('::1', 'ipv6');
    } else if (family === 0) {
      return undefined;
    } else if (prefix === undefined) {
      trusted.addAddress(address, family === 4 ? 'ipv4' : 'ipv6');
    } else {
      const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
      if (!(length >= 0 && length <= (family === 4 ? 32 : 128))) {
        return undefined;
      }
      trusted.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
    }
  }
  return {
    includes(address) {
      const plain = toPlainAddress(address).replace(/%.*$/, '');
      const family = isIP(plain);
      return family !== 0 && trusted.check(plain, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** Removes the `::ffff:` prefix of IPv4 clients on a dual-stack socket. */
export function toPlainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
