/** A request body in memory, readable as a stream or as bytes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Json } from '../../lib/json/value.ts';

/** Bytes, or a JSON document that is serialized only on demand. */
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

  /** Undefined if the content is bytes. */
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
