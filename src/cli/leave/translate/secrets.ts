/** Writes passwords as clear text with a prefix, or leaves them out. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { isKeptSecret, type Resource } from '../archive/exported-configuration.ts';
import type { Leaving } from './leaving.ts';

/** Addresses that contain a password, which are not encrypted as a whole. */
const unprefixed: ReadonlySet<string> = new Set(['data_store', 'WFSDataStoreFactory:AUTH_HEADERS', 'headerValue']);

/** `exported` has the fields before the server replaced secrets by placeholders, if they are exported. */
export function writeSecrets(
  leaving: Leaving,
  { kind, path }: Resource,
  members: JsonObject,
  secretNames: readonly string[],
): JsonObject {
  const written: Record<string, Json> = {};
  for (const [name, value] of Object.entries(members)) {
    if (isKeptSecret(value)) {
      leaving.report.add(
        leaving.withSecrets ? 'password-unreadable' : 'password-omitted',
        { kind, path },
        `The secret '${name}' is not exported.`,
        { remedy: leaving.withSecrets ? 'Set it in GeoServer.' : 'Use --with-secrets, or set it in GeoServer.' },
      );
    } else if (secretNames.includes(name) && typeof value === 'string') {
      written[name] = unprefixed.has(name) ? value : `plain:${value}`;
    } else {
      written[name] = value;
    }
  }
  return written;
}
