/** What another server is told in confidence, so that nothing of it comes back out with what it answers. */
import type { HttpCredentials } from '../gates/url-gate.ts';
import { isSecretName } from '../lib/identity/secret.ts';
import { escapeText } from '../lib/xml/escape.ts';

/** Reports of errors are far shorter; what is longer is not searched, and not shown. */
const MAX_SEARCHED_BYTES = 1_048_576;

/** The passwords and tokens that a question holds, in its address and in the header that tells who asks. */
export function collectSecrets(url: string, credentials: HttpCredentials | undefined): readonly string[] {
  const [, query = ''] = url.split(/\?(.*)/s);
  const inUrl = [...new URLSearchParams(query)].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  const header = credentials?.value ?? '';
  const token = header.replace(/^\w+\s+/, '');
  const [, password = ''] = /^Basic\s/i.test(header) ? Buffer.from(token, 'base64').toString().split(/:(.*)/s) : [];
  return [...new Set([...inUrl, header, token, password])].filter((secret) => secret !== '');
}

/**
 * What may be told of an answer: the reason that was found in it, unless the answer repeats a secret. It is the answer that
 * is searched, since a reason quotes the beginning of what is there, and may end in the middle of a password.
 */
export function redactReason(reason: string, answer: Uint8Array, secrets: readonly string[]): string {
  if (secrets.length === 0) return reason;
  const said = answer.length > MAX_SEARCHED_BYTES ? undefined : `${toComparable(answer)} ${toComparable(reason)}`;
  return said === undefined || secrets.flatMap(listSpellings).some((spelling) => said.includes(toComparable(spelling)))
    ? 'it answered with words that are not shown, since they may repeat a password or a token'
    : reason;
}

function listSpellings(secret: string): readonly string[] {
  const inUrl = encodeURIComponent(secret);
  return [
    secret,
    inUrl,
    inUrl.replaceAll('%20', '+'),
    escapeText(secret),
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
  ];
}

/** A character for each byte, whatever encoding they are in. */
function toComparable(text: string | Uint8Array): string {
  return (typeof text === 'string' ? Buffer.from(text) : Buffer.copyBytesFrom(text)).toString('latin1').toLowerCase();
}
