/** The body of a request that is in memory already: a stream for who wants one, bytes for all others. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Json } from '../../lib/json/value.ts';

/** What a body holds: bytes, or a JSON document, of which bytes are made when somebody wants them. */
export type WholeContent = Buffer | { readonly document: Json };

export class WholeBody extends Readable {
  readonly #content: WholeContent;
  #bytes: Buffer | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Pick<Socket, 'remoteAddress' | 'localAddress' | 'localPort'>;

  constructor(content: WholeContent, { headers, socket }: Pick<WholeBody, 'headers' | 'socket'>) {
    super({ emitClose: false });
    this.#content = content;
    this.headers = headers;
    this.socket = socket;
  }

  /** Undefined where it is bytes. */
  get document(): Json | undefined {
    return Buffer.isBuffer(this.#content) ? undefined : this.#content.document;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.isBuffer(this.#content)
      ? this.#content
      : Buffer.from(JSON.stringify(this.#content.document));
    return this.#bytes;
  }

  override _read(): void {
    if (this.bytes.length > 0) {
      this.push(this.bytes);
    }
    this.push(null);
  }
}
