/** Idempotent retries: a request with a key is executed once, and repetitions return the same response. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { anonymous, isAnonymous, toAccountKey } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { AppContext } from '../context/app-options.ts';
import type { Exchange, HttpRequest } from '../context/exchange.ts';
import type { ReplayableBody } from '../context/replayable-body.ts';
import { createReplyHeaders, sendReply } from '../response/reply.ts';
import type { FinalReply } from '../session/final-reply.ts';
import type { HeaderList } from '../session/recorded-reply.ts';

/** The name of the header, as OpenAPI shows it. */
export const keyHeader = 'Idempotency-Key';

/** A key and its owner. */
export interface RetryKey {
  readonly who: string;
  readonly key: string;
  /** The owner in responses that earlier versions stored; needed for a day after an upgrade. Absent for tokens. */
  readonly userName?: string;
}

/** Returns the key of a request, undefined without a key, or a problem for an invalid key. */
export function readRetryKey({ raw, context }: HttpRequest): RetryKey | Problem | undefined {
  const key = parseKey(raw.headers);
  const { principal = anonymous } = context;
  // Anonymous requests have no owner and change nothing.
  if (key === undefined || isAnonymous(principal)) return undefined;
  if (key instanceof Problem) return key;
  const account = toAccountKey(principal);
  // A stored response is sent before permissions are checked, so tokens do not share responses: their scopes differ.
  const { token } = principal;
  return token === undefined
    ? { who: account, key, userName: principal.name }
    : { who: `${account} by token ${token.id}`, key };
}

function parseKey(headers: IncomingHttpHeaders): string | Problem | undefined {
  const sent = headers[keyHeader.toLowerCase()];
  if (sent === undefined) return undefined;
  const [, quoted, bare] = /^(?:"([!#-~]{1,255})"|([!#-~]{1,255}))$/.exec(String(sent).trim()) ?? [];
  return quoted ?? bare ?? problem('idempotency-key-invalid', {});
}

/** Runs the work unless a request with the same key is in progress. */
export async function runOncePerKey<S>(
  app: AppContext<S>,
  { who, key }: RetryKey,
  work: () => Promise<void>,
): Promise<void> {
  const name = `${who}\0${key}`;
  if (app.keysUnderWay.has(name)) throw problem('idempotency-key-in-use', { key, retryAfterSeconds: 1 });
  app.keysUnderWay.add(name);
  try {
    await work();
  } finally {
    app.keysUnderWay.delete(name);
  }
}

/** Identifies a request by method, path with query, content type and body. */
export async function computeFingerprint(
  { method, originalUrl, raw }: HttpRequest,
  body: ReplayableBody,
): Promise<string> {
  const parts = [method, originalUrl, raw.headers['content-type'] ?? '', await body.digest()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The response headers to store; the others are added to every response. */
const keptHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'etag',
  'graticule-change',
  'link',
  'location',
  'warning',
]);

/** Serializes a response for storage. */
export function formatStoredReply({ status, headers, body }: FinalReply): string {
  const isReturned = (name: string, value: string) => name === 'preference-applied' && value.startsWith('return=');
  const found = toPairs(headers).filter(([name, value]) => keptHeaders.has(name) || isReturned(name, value));
  return JSON.stringify({ status, headers: found.flat(), body: Buffer.from(body).toString('base64') });
}

/** Sends the response stored under a key if the request is the same; returns false if there is none. */
export async function sendStoredReply<S>(
  { app, request, reply }: Exchange<S>,
  { who, key, userName }: RetryKey,
  body: ReplayableBody,
): Promise<boolean> {
  const own = await app.replies.find(who, key);
  const found = own ?? (userName === undefined ? undefined : await app.replies.find(userName, key));
  if (found === undefined) return false;
  if (found.request !== (await computeFingerprint(request, body))) {
    // An earlier version may have stored it for another user of the same name.
    if (own === undefined) return false;
    throw problem('idempotency-key-reused', { key });
  }
  // Written by `formatStoredReply` and encrypted since, so it can be trusted.
  const stored = JSON.parse(found.reply) as { status: number; headers: HeaderList; body: string };
  const common = createReplyHeaders(request, app, { cacheControl: 'no-store' });
  const headers = [...common, 'idempotent-replayed', 'true', ...stored.headers];
  sendReply(reply, stored.status, headers, Buffer.from(stored.body, 'base64'));
  return true;
}

function toPairs(headers: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: headers.length / 2 }, (_, at) => [headers[at * 2] ?? '', headers[at * 2 + 1] ?? '']);
}
