/** Collects the secrets of requests to remote servers and keeps them out of error messages. */
import type { HttpCredentials } from '../gates/url-gate.ts';
import { isSecretName } from '../lib/identity/secret.ts';
import { escapeText } from '../lib/xml/escape.ts';

/** Error reports are far shorter; longer responses are neither searched nor shown. */
const MAX_SEARCHED_BYTES = 1_048_576;

/** Collects passwords and tokens from the address and the credential header of a request. */
export function collectSecrets(url: string, credentials: HttpCredentials | undefined): readonly string[] {
  const [, query = ''] = url.split(/\?(.*)/s);
  const inUrl = [...new URLSearchParams(query)].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  const header = credentials?.value ?? '';
  const token = header.replace(/^\w+\s+/, '');
  const [, password = ''] = /^Basic\s/i.test(header) ? Buffer.from(token, 'base64').toString().split(/:(.*)/s) : [];
  return [...new Set([...inUrl, header, token, password])].filter((secret) => secret !== '');
}

/**
 * Returns the reason found in a response, unless the response repeats a secret. The response is searched, because a
 * reason quotes only its beginning and may end in the middle of a password.
 */
export function redactReason(reason: string, answer: Uint8Array, secrets: readonly string[]): string {
  if (secrets.length === 0) return reason;
  const searched = answer.length > MAX_SEARCHED_BYTES ? undefined : `${toComparable(answer)} ${toComparable(reason)}`;
  return searched === undefined ||
    secrets.flatMap(listSpellings).some((spelling) => searched.includes(toComparable(spelling)))
    ? 'the response is not shown because it may contain a password or a token'
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

/** One character per byte, in any encoding. */
function toComparable(text: string | Uint8Array): string {
  return (typeof text === 'string' ? Buffer.from(text) : Buffer.copyBytesFrom(text)).toString('latin1').toLowerCase();
}
