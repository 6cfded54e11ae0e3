/** The body of a remote reply, cut off when it grows too large, with failures told in our words. */
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';

export interface BodyBounds {
  readonly maxBytes: number;
  /** What to fail with beyond the limit. */
  readonly tooLarge: () => Error;
  /** Turns a failure of the connection into one that can be told. */
  readonly explain: (error: Error) => Error;
}

export function boundedBody(response: IncomingMessage, bounds: BodyBounds): Readable {
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
