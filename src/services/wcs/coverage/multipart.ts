/** Replies with several parts, of which the first one describes the others. */
import { randomUUID } from 'node:crypto';
import type { ServiceReply } from '../../../http/session/service-reply.ts';

export interface Part {
  readonly contentType: string;
  readonly contentId: string;
  /** Further headers, such as the transfer encoding. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | AsyncIterable<string>;
}

/** The first part is the root, which refers to the others. The boundary is random, so that no file can contain it. */
export function createMultipartReply(
  parts: readonly [Part, ...Part[]],
  headers: Readonly<Record<string, string>> = {},
): ServiceReply {
  const boundary = randomUUID();
  // QGIS reads everything up to the next quote as the boundary if it has no quotes.
  const contentType = `multipart/related; type="${parts[0].contentType}"; boundary="${boundary}"`;
  return { contentType, headers, body: writeParts(boundary, parts) };
}

async function* writeParts(boundary: string, parts: readonly Part[]): AsyncGenerator<string | Uint8Array> {
  for (const { contentType, contentId, headers = {}, body } of parts) {
    const lines = { 'Content-Type': contentType, 'Content-ID': `<${contentId}>`, ...headers };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    yield `--${boundary}\r\n${head.join('')}\r\n`;
    if (typeof body === 'string' || body instanceof Uint8Array) yield body;
    else yield* body;
    yield '\r\n';
  }
  yield `--${boundary}--\r\n`;
}
