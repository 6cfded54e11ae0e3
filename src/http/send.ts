/** Puts a reply on its connection, past Fastify's own way from headers to bytes, which costs as much as all of ours. */
import type { FastifyReply } from 'fastify';

/** Names and values by turns, as Node takes them. */
export type HeaderList = string[];

/** Without a body there is no Content-Length either. */
export function send(reply: FastifyReply, status: number, headers: HeaderList, body?: string | Buffer): void {
  const { raw } = reply;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body?.length;
  if (bytes !== undefined) {
    headers.push('content-length', String(bytes));
  }
  // Fastify is told afterwards: what is wrong with a header must still become an error reply.
  raw.writeHead(status, headers);
  reply.hijack();
  // ASCII is the same in Latin-1, which Node writes without looking at each character.
  raw.end(body, bytes === body?.length ? 'latin1' : 'utf8');
}
