/** Handles the response of a remote host: redirects, body limits and failure reasons. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { findErrorCode } from '../../lib/problems/error-code.ts';
import type { PlainUrl } from './plain-url.ts';

export interface BodyBounds {
  readonly maxBytes: number;
  /** Creates the error beyond the limit. */
  readonly tooLarge: () => Error;
  /** Converts a failure of the connection to a problem. */
  readonly explain: (error: Error) => Error;
}

/** Returns the body, cut off at the limit. */
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
      // Close the connection when the reader stops.
      response.destroy();
      done(error === null ? null : bounds.explain(error));
    },
  });
  pipeline(response, body, () => {});
  return body;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the target of a redirect, which must be checked like the first URL; undefined for other responses. */
export function findRedirectTarget(response: IncomingMessage, from: PlainUrl): string | undefined {
  const { statusCode = 0, headers } = response;
  if (!redirects.has(statusCode) || headers.location === undefined) {
    return undefined;
  }
  // Node passes each byte of a header as one character.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8');
  if (/^[a-z][a-z0-9+.-]*:/i.test(location) || /[\\\p{Cc}\p{Z}]/u.test(location)) {
    return location;
  }
  // Completes a relative target; `//other/path` keeps its host as written, to be checked.
  return location.startsWith('//') ? `${from.scheme}:${location}` : (URL.parse(location, from.href)?.href ?? location);
}

/** Reasons that reveal nothing about the network of the server. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'its host refused the connection',
  EHOSTUNREACH: 'its host is unreachable',
  ENETUNREACH: 'its host is unreachable',
  ETIMEDOUT: 'its host did not respond',
  ECONNRESET: 'the connection was reset',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection was reset',
  HPE_HEADER_OVERFLOW: 'its response has too many headers',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
};

/** The remote server sent nothing within the idle timeout. */
export class IdleError extends Error {
  override readonly name = 'IdleError';
}

/** Returns why a connection failed; undefined for internal errors. */
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
    return 'its response is not valid HTTP';
  }
  return /^(?:E[A-Z]+|EPROTO|ERR_(?:SSL|TLS)_\w+|[A-Z_]*CERT[A-Z_]*)$/.test(code) ? 'the connection failed' : undefined;
}
