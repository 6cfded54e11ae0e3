/** Compares a configuration with the server, and applies exactly the plan that the user has seen. */
import { queries } from '../../../rest/cache.ts';
import { type RestReply, withQuery } from '../../../rest/client.ts';
import { type UploadRequest, uploadFile } from '../../../rest/upload.ts';
import type { Candidate, Plan } from './types.ts';

type Sending = Pick<UploadRequest, 'headers' | 'signal' | 'onProgress'>;

export function comparePlan(candidate: Candidate, sending: Sending = {}): Promise<RestReply<Plan>> {
  return send('/configuration/diff', candidate, sending);
}

/** Fails with the status 412 if the configuration is no longer that of the plan. */
export async function applyPlan(candidate: Candidate, { hash }: Plan, sending: Sending = {}): Promise<RestReply<Plan>> {
  const reply = await send('/configuration/apply', candidate, { ...sending, headers: { 'if-match': `"${hash}"` } });
  await queries.invalidateQueries();
  return reply;
}

function send(path: string, candidate: Candidate, { headers = {}, ...sending }: Sending): Promise<RestReply<Plan>> {
  const { mode, acceptsUnverified, isArchive, body, passphrase } = candidate;
  return uploadFile<Plan>(withQuery(path, { mode, unverified: acceptsUnverified ? 'accept' : undefined }), {
    ...sending,
    method: 'POST',
    body,
    contentType: isArchive ? 'application/zip' : 'application/json',
    headers: { ...headers, ...toPassphraseHeader(passphrase) },
  });
}

export function toPassphraseHeader(passphrase: string): Readonly<Record<string, string>> {
  return passphrase === '' ? {} : { 'graticule-passphrase': encodeURIComponent(passphrase) };
}
