/** Several documents as one reply. */
import { randomUUID } from 'node:crypto';
import type { ServiceReply } from '../../http/session/service-reply.ts';

export interface Part {
  readonly contentType: string;
  readonly contentId: string;
  readonly body: string | Uint8Array;
}

/** The first is what the reply is about; the others are named in it. What parts them nobody can have put into a file before. */
export function createMultipartReply(parts: readonly [Part, ...Part[]]): ServiceReply {
  const boundary = randomUUID();
  const contentType = `multipart/related; boundary=${boundary}; type="${parts[0].contentType}"`;
  return { contentType, body: writeParts(boundary, parts) };
}

async function* writeParts(boundary: string, parts: readonly Part[]): AsyncGenerator<string | Uint8Array> {
  for (const { contentType, contentId, body } of parts) {
    yield `--${boundary}\r\nContent-Type: ${contentType}\r\nContent-ID: <${contentId}>\r\n\r\n`;
    yield body;
    yield '\r\n';
  }
  yield `--${boundary}--\r\n`;
}
