/** Sends one request as administrator and measures the time until the last byte. */
import { type Agent, request } from 'node:http';
import { authorization } from './server-child.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
  /** The `Link` header; empty if missing. */
  readonly link: string;
}

export function call(
  agent: Agent,
  method: string,
  url: string,
  sent?: { readonly type: string; readonly body: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization, ...(sent === undefined ? {} : { 'content-type': sent.type }) };
    const startedAt = performance.now();
    const out = request(url, { method, agent, headers }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.once('error', reject);
      reply.once('end', () => {
        const ms = performance.now() - startedAt;
        const { statusCode: status = 0, headers: replyHeaders } = reply;
        resolve({ status, body: Buffer.concat(pieces).toString(), ms, link: String(replyHeaders['link'] ?? '') });
      });
    });
    out.once('error', reject);
    out.end(sent?.body);
  });
}
