/** A plain file server with range requests, as remote files need it; it records what is requested and sent. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RangeServer {
  readonly port: number;
  /** The files by path, such as `/dem.tif`; they can be replaced. */
  readonly files: Map<string, ServedFile>;
  /** `GET /dem.tif bytes=0-65535` of each request, in order. */
  readonly asked: string[];
  readonly headers: IncomingMessage['headers'][];
  /** The bytes of all bodies. */
  countSentBytes(): number;
  close(): Promise<void>;
}

export interface ServedFile {
  readonly bytes: Uint8Array;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Further headers, such as those of CORS. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers instead of the server; returns false for the usual answer. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Listens on 127.0.0.1 until it is closed. */
export async function startRangeServer(files: Readonly<Record<string, ServedFile>>): Promise<RangeServer> {
  const served = new Map(Object.entries(files));
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  let sentBytes = 0;
  const server = createServer((request, response) => {
    const path = URL.parse(request.url ?? '', 'http://h')?.pathname ?? '';
    asked.push(`${request.method} ${request.url} ${request.headers.range ?? '-'}`);
    headers.push(request.headers);
    const file = served.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    if (file.answer?.(request, response) === true) return;
    sentBytes += sendRange(file, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    files: served,
    asked,
    headers,
    countSentBytes: () => sentBytes,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends the requested range, and returns its length. */
function sendRange(
  { bytes, etag, lastModified, headers: further }: ServedFile,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { range, 'if-match': ifMatch } = request.headers;
  if (ifMatch !== undefined && ifMatch !== etag) {
    response.writeHead(412).end();
    return 0;
  }
  const [, first, last] = (/^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []).map(Number);
  if (first === undefined || last === undefined || first >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return 0;
  }
  const end = Math.min(last, bytes.length - 1);
  response.writeHead(206, {
    'content-type': 'image/tiff',
    'content-length': end - first + 1,
    'content-range': `bytes ${first}-${end}/${bytes.length}`,
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { 'last-modified': lastModified }),
    ...further,
  });
  response.end(bytes.subarray(first, end + 1));
  return end - first + 1;
}
