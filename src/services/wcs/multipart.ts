/** Combines several documents into one multipart response. */
import { randomUUID } from 'node:crypto';
import type { ServiceReply } from '../../http/session/service-reply.ts';

export interface Part {
  readonly contentType: string;
  readonly contentId: string;
  readonly body: string | Uint8Array;
}

/** The first part is the root, which refers to the others. The boundary is random, so that no file can contain it. */
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
