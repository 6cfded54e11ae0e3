/** What comes back from a remote host: where it sends us, its body, and why there is none, told in our words. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { PlainUrl } from './plain-url.ts';

export interface BodyBounds {
  readonly maxBytes: number;
  /** What to fail with beyond the limit. */
  readonly tooLarge: () => Error;
  /** Turns a failure of the connection into one that can be told. */
  readonly explain: (error: Error) => Error;
}

/** The body, cut off when it grows too large. */
export function limitBody(response: IncomingMessage, bounds: BodyBounds): Readable {
  let received = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > bounds.maxBytes) {
        done(bounds.tooLarge());
      } else {
        done(null, chunk);
      }
    },
    destroy(error, done) {
      // Whoever stops reading hangs up: nobody else waits for the rest.
      response.destroy();
      done(error === null ? null : bounds.explain(error));
    },
  });
  pipeline(response, body, () => {});
  return body;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Where a reply sends us, as a URL that is to be judged like the first one; undefined for one that is no redirect. */
export function findRedirectTarget(response: IncomingMessage, from: PlainUrl): string | undefined {
  const { statusCode = 0, headers } = response;
  if (!redirects.has(statusCode) || headers.location === undefined) {
    return undefined;
  }
  // Node hands over each byte of a header as one character.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8');
  if (/^[a-z][a-z0-9+.-]*:/i.test(location) || /[\\\p{Cc}\p{Z}]/u.test(location)) {
    return location;
  }
  // A relative one is completed here; `//other/path` keeps its host as it is written, to be looked at.
  return location.startsWith('//') ? `${from.scheme}:${location}` : (URL.parse(location, from.href)?.href ?? location);
}

/** In words that tell a client nothing about the network the connection was made in. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'its host refuses the connection',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ETIMEDOUT: 'its host does not answer',
  ECONNRESET: 'the connection broke off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke off',
  HPE_HEADER_OVERFLOW: 'it answered with too many headers',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
};

/** The other side said nothing for too long. */
export class IdleError extends Error {
  override readonly name = 'IdleError';
}

/** Why a connection failed; undefined for an error that is no failure of a connection, but a fault of ours. */
export function findConnectionReason(error: unknown): string | undefined {
  const code = findErrorCode(error);
  if (code === undefined) {
    return undefined;
  }
  const known = reasons[code];
  if (known !== undefined) {
    return known;
  }
  if (code.startsWith('HPE_')) {
    return 'it did not answer in valid HTTP';
  }
  return /^(?:E[A-Z]+|EPROTO|ERR_(?:SSL|TLS)_\w+|[A-Z_]*CERT[A-Z_]*)$/.test(code) ? 'the connection failed' : undefined;
}
