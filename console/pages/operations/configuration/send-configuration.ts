/** Compares a configuration with the server, and applies exactly the plan that the user has seen. */
import { queries } from '../../../rest/cache.ts';
import { callRest, type RestReply, withQuery } from '../../../rest/client.ts';
import type { Candidate, Plan } from './types.ts';

export function comparePlan(candidate: Candidate, signal?: AbortSignal): Promise<RestReply<Plan>> {
  return send('/configuration/diff', candidate, { signal });
}

/** Fails with the status 412 if the configuration is no longer that of the plan. */
export async function applyPlan(candidate: Candidate, { hash }: Plan): Promise<RestReply<Plan>> {
  const reply = await send('/configuration/apply', candidate, { headers: { 'if-match': `"${hash}"` } });
  await queries.invalidateQueries();
  return reply;
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

function send(path: string, candidate: Candidate, { headers = {}, signal }: SendOptions): Promise<RestReply<Plan>> {
  const { mode, acceptsUnverified, isArchive, body, passphrase } = candidate;
  return callRest<Plan>(withQuery(path, { mode, unverified: acceptsUnverified ? 'accept' : undefined }), {
    method: 'POST',
    body,
    contentType: isArchive ? 'application/zip' : 'application/json',
    headers: { ...headers, ...toPassphraseHeader(passphrase) },
    signal,
  });
}

export function toPassphraseHeader(passphrase: string): Readonly<Record<string, string>> {
  return passphrase === '' ? {} : { 'graticule-passphrase': encodeURIComponent(passphrase) };
}
