/** The header with the passphrase of encrypted responses and archives. A query would be logged. */
import { problem } from '../../lib/problems/problem.ts';

const PASSPHRASE_HEADER = 'graticule-passphrase';

/** Percent-encoded, because headers have no other characters than those of ASCII. */
export function readPassphrase(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  const header = headers[PASSPHRASE_HEADER];
  if (header === undefined) return undefined;
  try {
    const passphrase = decodeURIComponent(String(header));
    if (passphrase !== '') return passphrase;
  } catch {
    // Answered below.
  }
  const expected = 'a passphrase, percent-encoded in UTF-8';
  throw problem('query-invalid', { parameter: 'Graticule-Passphrase', value: '(secret)', expected });
}
