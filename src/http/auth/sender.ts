/** Where a request comes from, for providers that trust the headers of a proxy. */
import { type Origin, type TrustedProxies, toPlainAddress } from '../request/request-head.ts';
import type { Sender } from './auth.ts';

interface SentHeaders {
  readonly socket: { readonly remoteAddress?: string | undefined };
  /** Names and values in turn. */
  readonly rawHeaders?: readonly string[];
}

/** Only the peer of the connection counts: X-Forwarded-For makes no address trusted. */
export function createSender(
  { socket, rawHeaders = [] }: SentHeaders,
  { clientAddress }: Origin,
  proxies: TrustedProxies,
): Sender {
  return {
    address: clientAddress,
    isTrustedProxy: () => proxies.includes(toPlainAddress(socket.remoteAddress ?? '')),
    listHeaders: (name) => {
      const values: string[] = [];
      for (let at = 0; at < rawHeaders.length; at += 2) {
        if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
      }
      return values;
    },
  };
}
