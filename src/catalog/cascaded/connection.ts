/** The stored connection to a remote map server, and its credentials. */
import type { HttpCredentials } from '../../gates/url-gate.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import { problem } from '../../lib/problems/problem.ts';
import { SealBroken, type Sealer } from '../../security/core/sealer.ts';

export interface Connection {
  readonly parameters: Readonly<Record<string, string>>;
  readonly sealedParameters: Readonly<Record<string, Secret>>;
}

export function decryptCredentials(sealer: Sealer, name: string, connection: Connection): HttpCredentials | undefined {
  const { user, headerName } = connection.parameters;
  const openSecret = (secret: Secret | undefined): string => {
    try {
      return secret === undefined ? '' : sealer.open(secret);
    } catch (error) {
      if (error instanceof SealBroken) {
        throw problem('store-unreachable', {
          name,
          reason: 'its password cannot be decrypted with the current keystore. Set the password again',
        });
      }
      throw error;
    }
  };
  if (headerName !== undefined) {
    return { header: headerName, value: openSecret(connection.sealedParameters['headerValue']) };
  }
  if (user === undefined) {
    return undefined;
  }
  const pair = `${user}:${openSecret(connection.sealedParameters['password'])}`;
  return { header: 'authorization', value: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The defaults; timeouts are in seconds. */
export const defaultNumbers = { maxConnections: 6, readTimeout: 60, connectTimeout: 30 } as const;

export function parseOrigin(url: string): string {
  return URL.parse(url)?.origin ?? '';
}
