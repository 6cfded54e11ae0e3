/** Finds the secrets of a document that the server already has, so that they are no changes. */
import type { Secret } from '../../../lib/identity/secret.ts';
import { matchesSecret } from '../../../security/core/match-secret.ts';
import type { Services } from '../../common/services.ts';
import { type Fields, isObject, type Json, KEPT_SECRET, toPlainEntries } from '../model/fields.ts';
import type { ConfigurationKind, ResourceAddress } from '../model/kind.ts';
import { isKeptSecret } from '../model/operations.ts';

/** Access to the stored secrets. */
export type SecretServices = Pick<Services, 'catalog' | 'security'>;

/** Whether the document gives the value of a secret that exists. */
export function hasGivenSecret(former: Fields, given: Fields): boolean {
  return Object.entries(given).some(([name, value]) => {
    const was = former[name];
    if (isKeptSecret(was)) return isGiven(value);
    return isObject(was) && isObject(value) && hasDirectGivenSecret(was, toPlainEntries(value));
  });
}

function hasDirectGivenSecret(former: Fields, given: Fields): boolean {
  return Object.entries(given).some(([name, value]) => isKeptSecret(former[name]) && isGiven(value));
}

/** Returns the given fields, where each secret that equals the stored one is replaced by the placeholder of exports. */
export async function replaceKnownSecrets(
  { catalog, security }: SecretServices,
  row: ConfigurationKind,
  address: ResourceAddress,
  { former, given }: { readonly former: Fields; readonly given: Fields },
): Promise<Fields> {
  const stored = (await row.readSecrets?.(catalog, address)) ?? {};
  const replaceKnown = async (name: string, was: Json | undefined, value: Json): Promise<Json> =>
    isKeptSecret(was) && isGiven(value) && (await isStored(stored[name], value)) ? KEPT_SECRET : value;
  const isStored = async (secret: Secret | null | undefined, value: Json) =>
    secret != null && matchesSecret(security, secret, String(value));

  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(given)) {
    const was = former[name];
    if (isObject(was) && !isKeptSecret(was) && isObject(value) && hasDirectGivenSecret(was, toPlainEntries(value))) {
      const entries: [string, Json][] = [];
      for (const [entry, inner] of Object.entries(toPlainEntries(value))) {
        entries.push([entry, await replaceKnown(entry, was[entry], inner)]);
      }
      fields[name] = Object.fromEntries(entries);
    } else {
      fields[name] = await replaceKnown(name, was, value);
    }
  }
  return fields;
}

/** REST accepts a number for its text. */
function isGiven(value: Json): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
