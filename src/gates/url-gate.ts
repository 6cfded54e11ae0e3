/** Opens URLs on behalf of clients. All outbound requests to such URLs pass through here. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type MeasuredWork, measureWork } from '../lib/measure/measure-work.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { type DecisionRules, decideUrl, findMatchingCheck, type UrlDecision } from './url-gate/decide.ts';
import type { KeptConnections } from './url-gate/kept-connections.ts';
import type { PostedBody } from './url-gate/pinned-request.ts';
import { type PlainUrl, redactUrl } from './url-gate/plain-url.ts';
import { type ByteRange, findPartFault, type ReceivedPart, readPart } from './url-gate/received-part.ts';
import { findConnectionReason, findRedirectTarget, IdleError, limitBody } from './url-gate/remote-reply.ts';

export type { UrlDecision } from './url-gate/decide.ts';
export type { ByteRange, ReceivedPart } from './url-gate/received-part.ts';
export type { ResolveHost } from './url-gate/resolver.ts';
export { systemResolver } from './url-gate/resolver.ts';
export type { UrlGateCheck } from './url-gate/specific-host.ts';

export interface UrlGateLimits {
  readonly maxLength: number;
  readonly maxRedirects: number;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxBytes: number;
  readonly maxHeaderBytes: number;
}

export interface UrlGateOptions extends Omit<DecisionRules, 'maxLength'> {
  readonly limits: UrlGateLimits;
  /** Returns a signal that is aborted after this many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
}

/** Options of a call; the limits of the gate are the defaults. */
export interface OpenUrlOptions {
  readonly signal?: AbortSignal;
  readonly maxBytes?: number;
  /** For everything: look-ups, redirects and the whole body. */
  readonly timeoutMs?: number;
  readonly accept?: string;
  /** A header with credentials, sent only to the host of the URL and not to redirect targets. */
  readonly credentials?: HttpCredentials;
  /** The headers of a signed request, sent only to the host of the URL and not to redirect targets. */
  readonly signature?: Readonly<Record<string, string>>;
  /** Fewer redirects than the limit of the gate. */
  readonly maxRedirects?: number;
  /** Encoded fields of a form, sent with POST. Redirects are then not followed. */
  readonly form?: string;
  /** Statuses that mean an empty result instead of a failure. */
  readonly nothingBy?: readonly number[];
  /** Reads only this part of the body. A server without range requests is an error. */
  readonly range?: ByteRange;
}

export interface HttpCredentials {
  readonly header: string;
  readonly value: string;
}

export interface OpenedUrl {
  /** The final URL after redirects, without its query; for messages. */
  readonly shown: string;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  /** Whether the status means an empty result. */
  readonly isNothing: boolean;
  /** Present if a range was requested: the part that the server sent, which may end earlier at the end of the file. */
  readonly part?: ReceivedPart;
  /** Must be read or destroyed; fails with a Problem if it is too large, too slow or incomplete. */
  readonly body: Readable;
}

/** The body of a POST request. */
export interface UrlMessage extends PostedBody {
  readonly signal: AbortSignal;
  /** For everything up to the head of the response. */
  readonly timeoutMs: number;
}

export interface UrlGate {
  /** Decides without opening the URL. */
  check(url: string): Promise<UrlDecision>;
  /** Returns the name of a check that matches a text, such as a location that is not a URL; undefined if none does. */
  findCheck(text: string): Promise<string | undefined>;
  /** Opens a URL, or throws `url-refused` and related problems. */
  open(url: string, options?: OpenUrlOptions): Promise<OpenedUrl>;
  /** Posts to a URL and returns the status of the response; ignores its body and redirects. Throws like `open`. */
  post(url: string, message: UrlMessage): Promise<number>;
}

const outgoing: MeasuredWork = { stage: 'outgoing request' };

export function createUrlGate(gate: UrlGateOptions): UrlGate {
  const rules: DecisionRules = { ...gate, maxLength: gate.limits.maxLength };
  let kept: KeptConnections | undefined;
  const getAgent: GetAgent = async (url, addresses) => {
    const { KeptConnections } = await import('./url-gate/kept-connections.ts');
    kept ??= new KeptConnections();
    return kept.getAgent(url, addresses);
  };
  return {
    check: (url) => decideUrl(rules, url),
    findCheck: (text) => findMatchingCheck(rules, text),
    open: (url, options = {}) => measureWork(outgoing, () => openUrl({ ...gate, getAgent }, rules, url, options)),
    post: (url, message) => measureWork(outgoing, () => postTo(gate, rules, url, message)),
  };
}

/** Returns the agent that keeps connections to these addresses. */
type GetAgent = (
  ...decided: Parameters<KeptConnections['getAgent']>
) => Promise<ReturnType<KeptConnections['getAgent']>>;

async function openUrl(
  gate: UrlGateOptions & { readonly getAgent: GetAgent },
  rules: DecisionRules,
  firstUrl: string,
  options: OpenUrlOptions,
): Promise<OpenedUrl> {
  const { limits } = gate;
  const attempt = startAttempt(gate, options);
  let text = firstUrl;
  let firstOrigin: string | undefined;
  const maxRedirects = options.form === undefined ? (options.maxRedirects ?? limits.maxRedirects) : 0;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const decision = await attempt.waitFor(decideUrl(rules, text), text);
    const { url, addresses } = getOpenDecision(decision);
    const explain = (error: unknown) => attempt.explain(error, url.shown);
    const origin = `${url.scheme}://${url.host}${url.port}`;
    firstOrigin ??= origin;
    // Loaded on first use: Node's HTTP client loads slowly, and most servers open no URLs.
    const { requestPinned } = await import('./url-gate/pinned-request.ts');
    const response = await requestPinned(url, addresses, {
      signal: attempt.signal,
      accept: options.accept ?? '*/*',
      idleTimeoutMs: limits.idleTimeoutMs,
      maxHeaderBytes: limits.maxHeaderBytes,
      // Files are read in many ranges.
      ...(options.range === undefined ? {} : { range: options.range, agent: await gate.getAgent(url, addresses) }),
      ...(options.credentials === undefined || origin !== firstOrigin ? {} : { credentials: options.credentials }),
      ...(options.signature === undefined || origin !== firstOrigin || hops > 0
        ? {}
        : { signature: options.signature }),
      ...(options.form === undefined ? {} : { posted: createPostedForm(options.form) }),
    }).catch((error: unknown) => {
      throw explain(error);
    });
    const target = findRedirectTarget(response, url);
    if (target === undefined) {
      if (options.nothingBy?.includes(response.statusCode ?? 0)) return createEmptyResult(response, url);
      return createOpenedUrl(response, url, { maxBytes: limits.maxBytes, ...options }, explain);
    }
    response.destroy();
    text = target;
  }
  const reason = `it redirects more than ${maxRedirects} times`;
  throw problem('url-unreachable', { url: redactUrl(firstUrl, limits.maxLength), reason });
}

function createPostedForm(form: string): PostedBody {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    bytes: Buffer.byteLength(form),
    pieces: (async function* () {
      yield form;
    })(),
  };
}

async function postTo(gate: UrlGateOptions, rules: DecisionRules, text: string, message: UrlMessage): Promise<number> {
  const { idleTimeoutMs, maxHeaderBytes } = gate.limits;
  const attempt = startAttempt(gate, message);
  const { url, addresses } = getOpenDecision(await attempt.waitFor(decideUrl(rules, text), text));
  const { requestPinned } = await import('./url-gate/pinned-request.ts');
  const { signal } = attempt;
  const response = await requestPinned(url, addresses, {
    signal,
    accept: '*/*',
    idleTimeoutMs,
    maxHeaderBytes,
    posted: message,
  }).catch((error: unknown) => {
    throw attempt.explain(error, url.shown);
  });
  discardBody(response);
  return response.statusCode ?? 0;
}

/** Drains a short response, so that the connection closes cleanly; destroys a long one. */
function discardBody(response: IncomingMessage): void {
  let left = DISCARDED_BYTES;
  response.on('error', () => {});
  response.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) {
      response.destroy();
    }
  });
}

/** Receivers respond with a few words or an error page. */
const DISCARDED_BYTES = 65_536;

interface Attempt {
  readonly signal: AbortSignal;
  /** Waits for work that cannot be aborted, within the time limit. */
  waitFor<T>(work: Promise<T>, url: string): Promise<T>;
  /** Converts failures of the connection to problems; internal errors stay unchanged. */
  explain(error: unknown, shown: string): Error;
}

function startAttempt(
  { limits, deadline }: UrlGateOptions,
  options: Pick<OpenUrlOptions, 'signal' | 'timeoutMs'>,
): Attempt {
  const timeoutMs = options.timeoutMs ?? limits.timeoutMs;
  const late = deadline(timeoutMs);
  const signal = options.signal === undefined ? late : AbortSignal.any([late, options.signal]);
  const attempt: Attempt = {
    signal,
    waitFor: (work, url) =>
      waitUnlessAborted(work, signal).catch((error: unknown) => {
        throw signal.aborted ? attempt.explain(error, redactUrl(url, limits.maxLength)) : error;
      }),
    explain(error, shown) {
      if (error instanceof Problem) {
        return error;
      }
      if (options.signal?.aborted) {
        return new Error('The caller aborted the request', { cause: options.signal.reason });
      }
      if (late.aborted || error instanceof IdleError) {
        const limitMs = late.aborted ? timeoutMs : limits.idleTimeoutMs;
        return problem('url-too-slow', { url: shown, limitMs });
      }
      const reason = findConnectionReason(error);
      return reason === undefined
        ? new Error('Opening a URL failed unexpectedly', { cause: error })
        : problem('url-unreachable', { url: shown, reason });
    },
  };
  return attempt;
}

function getOpenDecision(decision: UrlDecision): Extract<UrlDecision, { kind: 'open' }> {
  switch (decision.kind) {
    case 'open':
      return decision;
    case 'unresolved':
      throw problem('url-unreachable', { url: decision.url.shown, reason: 'its host is unknown' });
    case 'refused':
      throw problem('url-refused', { url: decision.shown, reason: decision.reason });
  }
}

/** Ignores the body. */
function createEmptyResult(response: IncomingMessage, { shown }: PlainUrl): OpenedUrl {
  discardBody(response);
  return { shown, contentType: undefined, cacheControl: undefined, isNothing: true, body: Readable.from([]) };
}

function createOpenedUrl(
  response: IncomingMessage,
  url: PlainUrl,
  { maxBytes, range }: Required<Pick<OpenUrlOptions, 'maxBytes'>> & Pick<OpenUrlOptions, 'range'>,
  explain: (error: unknown) => Error,
): OpenedUrl {
  const createTooLarge = () => problem('url-too-large', { url: url.shown, limitBytes: maxBytes });
  const refusal =
    findResponseFault(response, url, range) ?? (readContentLength(response) > maxBytes ? createTooLarge() : undefined);
  if (refusal !== undefined) {
    response.destroy();
    throw refusal;
  }
  return {
    shown: url.shown,
    contentType: response.headers['content-type'],
    cacheControl: response.headers['cache-control'],
    isNothing: false,
    ...(range === undefined ? {} : { part: readPart(response, range) }),
    body: limitBody(response, { maxBytes, tooLarge: createTooLarge, explain }),
  };
}

function findResponseFault(
  response: IncomingMessage,
  url: PlainUrl,
  range: ByteRange | undefined,
): Problem | undefined {
  const { statusCode = 0, headers } = response;
  const partFault = range === undefined ? undefined : findPartFault(response, range);
  if (partFault !== undefined) {
    return problem('url-unreachable', { url: url.shown, reason: partFault });
  }
  if (range === undefined && statusCode !== 200) {
    return problem('url-unreachable', { url: url.shown, reason: `it returned status ${statusCode}` });
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  return encoding === 'identity' || encoding === ''
    ? undefined
    : problem('url-unreachable', { url: url.shown, reason: 'its response has an unrequested content encoding' });
}

function readContentLength(response: IncomingMessage): number {
  return Number(response.headers['content-length'] ?? 0);
}

/** Rejects with the reason of the signal as soon as it is aborted; the result of the work is ignored then. */
async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const rejectAborted = () => reject(signal.reason);
  signal.addEventListener('abort', rejectAborted, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', rejectAborted);
    work.catch(() => {});
  }
}
