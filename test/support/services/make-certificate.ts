/** Creates a self-signed certificate for a test server. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes `key.pem` and `certificate.pem` into the folder; returns the certificate. */
export function makeCertificate(folder: string, host: string): string {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'],
      ...['-subj', '/CN=localhost', '-addext', `subjectAltName=IP:${host},DNS:localhost`],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  return readFileSync(certificate, 'utf8');
}
