/** A request body in memory, readable as a stream or as bytes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

export class WholeBody extends Readable {
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Pick<Socket, 'remoteAddress' | 'localAddress' | 'localPort'>;

  constructor(bytes: Buffer, { headers, socket }: Pick<WholeBody, 'headers' | 'socket'>) {
    super({ emitClose: false });
    this.bytes = bytes;
    this.headers = headers;
    this.socket = socket;
  }

  override _read(): void {
    if (this.bytes.length > 0) {
      this.push(this.bytes);
    }
    this.push(null);
  }
}
