/** Requests to identity providers, through the URL gate. */
import { text } from 'node:stream/consumers';
import type { HttpCredentials, UrlGate } from '../../../gates/url-gate.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { Claims, Json } from './parse-jwt.ts';

export type ProviderGate = Pick<UrlGate, 'open'>;

/** Why an identity provider cannot be used. */
export type FetchErrorCode = 'unreachable' | 'url-refused' | 'issuer' | 'malformed';

export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly code: FetchErrorCode;

  constructor(code: FetchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Requests with a token wait for all requests of one fetch together. */
const FETCH_MS = 5_000;
/** More than 100 keys with certificates take. */
const MAX_BYTES = 524_288;

/** When the requests that belong to one fetch end, on the clock of `performance`. */
export function startFetch(): number {
  return performance.now() + FETCH_MS;
}

export interface FetchedJson {
  /** Undefined if the provider refuses a form. */
  readonly document: Json | undefined;
  readonly cacheControl: string | undefined;
}

/** What a client sends to an endpoint of the provider. */
export interface SentForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly client: ClientCredentials;
}

export interface ClientCredentials {
  readonly id: string;
  /** Undefined for public clients. */
  readonly secret: string | undefined;
}

/** Statuses with which an endpoint refuses what a form contains, or the client. */
const REFUSALS = [400, 401, 403];

export async function fetchJson(
  gate: ProviderGate,
  address: string,
  endMs: number,
  form?: SentForm,
): Promise<FetchedJson> {
  const timeoutMs = Math.max(1, Math.ceil(endMs - performance.now()));
  const opening = { timeoutMs, maxBytes: MAX_BYTES, maxRedirects: 0, accept: 'application/json' };
  let body: string;
  let cacheControl: string | undefined;
  try {
    const opened = await gate.open(address, form === undefined ? opening : { ...opening, ...createForm(form) });
    if (opened.isNothing) return { document: undefined, cacheControl: undefined };
    cacheControl = opened.cacheControl;
    body = await text(opened.body);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new FetchError(error.code === 'url-refused' ? 'url-refused' : 'unreachable', error.message);
  }
  try {
    return { document: JSON.parse(body) as Json, cacheControl };
  } catch {
    throw new FetchError('malformed', `The document at ${address} is not JSON.`);
  }
}

function createForm({ fields, client: { id, secret } }: SentForm) {
  const form = new URLSearchParams({ ...fields, ...(secret === undefined ? { client_id: id } : {}) }).toString();
  return {
    form,
    nothingBy: REFUSALS,
    ...(secret === undefined ? {} : { credentials: createBasicCredentials(id, secret) }),
  };
}

/** Both parts are encoded like fields of a form before they are joined (RFC 6749, 2.3.1). */
function createBasicCredentials(id: string, secret: string): HttpCredentials {
  const encode = (part: string) => new URLSearchParams({ '': part }).toString().slice(1);
  const joined = Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64');
  return { header: 'authorization', value: `Basic ${joined}` };
}

export function toClaims(document: Json | undefined): Claims {
  return typeof document === 'object' && document !== null && !Array.isArray(document) ? (document as Claims) : {};
}
