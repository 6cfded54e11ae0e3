/** The header `WWW-Authenticate`: how clients can authenticate after a denied request. */
import type { Problem } from '../../lib/problems/problem.ts';
import type { SentCredentials } from './credentials.ts';

export const challenge = 'Basic realm="Graticule", charset="UTF-8"';

/**
 * Returns undefined if other credentials would not help. Browsers open a dialog for a Basic challenge, so that programs
 * with a token get none.
 */
export function findChallenge(
  { code, message }: Pick<Problem, 'code' | 'message'>,
  status: number,
  credentials: SentCredentials,
): string | undefined {
  const isBasic = typeof credentials === 'object' && 'user' in credentials;
  if (code === 'token-scope') return formatBearerChallenge('insufficient_scope', message);
  if (status !== 401) return undefined;
  return code === 'token-invalid' && !isBasic ? formatBearerChallenge('invalid_token', message) : challenge;
}

function formatBearerChallenge(error: string, description: string): string {
  // RFC 6750, 3: printable ASCII without quotes and backslashes.
  const text = description.replaceAll(/[^ !#-[\]-~]/g, "'");
  return `Bearer realm="Graticule", error="${error}", error_description="${text}"`;
}
