/** Safe retries: a request with a key is done once, and whoever sends it again gets the same reply. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, isAnonymous, toAccountKey } from '../lib/identity/principal.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import type { AppContext } from './context/app-options.ts';
import type { HttpRequest, HttpResponse } from './context/exchange.ts';
import type { ReplayableBody } from './context/replayable-body.ts';
import { createReplyHeaders } from './response/reply-headers.ts';
import { sendReply } from './response/send.ts';
import type { FinalReply } from './session/final-reply.ts';
import type { HeaderList } from './session/recorded-reply.ts';

/** The name of the header, as OpenAPI shows it. */
export const keyHeader = 'Idempotency-Key';

/** A key and whose it is. */
export interface RetryKey {
  readonly who: string;
  readonly key: string;
  /** By which earlier versions kept replies: those of the last day are found by it after an upgrade. */
  readonly userName: string;
}

/** The key of a request; undefined where it has none, and a problem for a key that is invalid. */
export function readRetryKey({ raw, trail }: HttpRequest): RetryKey | Problem | undefined {
  const key = parseKey(raw.headers);
  const { principal = anonymous } = trail;
  // What strangers are told is nobody's in particular, and they change nothing.
  if (key === undefined || isAnonymous(principal)) return undefined;
  return key instanceof Problem ? key : { who: toAccountKey(principal), key, userName: principal.name };
}

function parseKey(headers: IncomingHttpHeaders): string | Problem | undefined {
  const sent = headers[keyHeader.toLowerCase()];
  if (sent === undefined) return undefined;
  const [, quoted, bare] = /^(?:"([!#-~]{1,255})"|([!#-~]{1,255}))$/.exec(String(sent).trim()) ?? [];
  return quoted ?? bare ?? problem('idempotency-key-invalid', {});
}

/** Runs work unless the same key is under way. */
export async function runOncePerKey<S>(
  door: AppContext<S>,
  { who, key }: RetryKey,
  work: () => Promise<void>,
): Promise<void> {
  const name = `${who}\0${key}`;
  if (door.keysUnderWay.has(name)) throw problem('idempotency-key-in-use', { key, retryAfterSeconds: 1 });
  door.keysUnderWay.add(name);
  try {
    await work();
  } finally {
    door.keysUnderWay.delete(name);
  }
}

/** What tells a request from others: method, path with query, type and body. */
export async function computeFingerprint(
  { method, originalUrl, raw }: HttpRequest,
  body: ReplayableBody,
): Promise<string> {
  const parts = [method, originalUrl, raw.headers['content-type'] ?? '', await body.digest()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Of the headers of a reply, those that tell of what was done; the others are those of every reply. */
const keptHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'etag',
  'graticule-change',
  'link',
  'location',
  'warning',
]);

/** A reply as the text that is kept of it. */
export function formatStoredReply({ status, headers, body }: FinalReply): string {
  const kept = toPairs(headers).filter(([name]) => keptHeaders.has(name));
  return JSON.stringify({ status, headers: kept.flat(), body: Buffer.from(body).toString('base64') });
}

/** Sends the reply that was kept under a key, if it is of the same request; false if there is none. */
export async function sendStoredReply<S>(
  door: AppContext<S>,
  { who, key, userName }: RetryKey,
  request: HttpRequest,
  body: ReplayableBody,
  reply: HttpResponse,
): Promise<boolean> {
  const own = await door.replies.find(who, key);
  const kept = own ?? (await door.replies.find(userName, key));
  if (kept === undefined) return false;
  if (kept.request !== (await computeFingerprint(request, body))) {
    // Another user of the same name may have sent what an earlier version kept.
    if (own === undefined) return false;
    throw problem('idempotency-key-reused', { key });
  }
  // It was written by `textOfReply`, and sealed since.
  const told = JSON.parse(kept.reply) as { status: number; headers: HeaderList; body: string };
  const headers = [...createReplyHeaders(request, door, 'no-store'), 'idempotent-replayed', 'true', ...told.headers];
  sendReply(reply, told.status, headers, Buffer.from(told.body, 'base64'));
  return true;
}

function toPairs(headers: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: headers.length / 2 }, (_, at) => [headers[at * 2] ?? '', headers[at * 2 + 1] ?? '']);
}
