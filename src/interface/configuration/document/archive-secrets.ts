/** The secrets of a configuration archive, encrypted with a passphrase: passwords as text, those of users as hashes. */
import { createSeal, openSeal, SEAL_HEADER_BYTES } from '../../../lib/backup/seal.ts';
import { revealSecret } from '../../../lib/identity/secret.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { isSealed, SealBroken, type Sealer } from '../../../security/core/sealer.ts';
import type { Services } from '../../common/services.ts';
import { type Fields, isObject, type Json } from '../model/fields.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { isKeptSecret } from '../model/operations.ts';
import { type ConfigurationDocument, DocumentResource, findAddress } from './document.ts';
import type { ExportedResource } from './export-resources.ts';
import { TextBuffer } from './text-buffer.ts';

/** The entry of the archive. */
export const SECRETS_ENTRY = 'secrets';

/** The values of a resource by the name of the field or map entry. */
type SecretValues = Readonly<Record<string, string>>;

export interface SealedSecrets {
  readonly bytes: Buffer;
  /** Resources with a secret that the keystore cannot open. */
  readonly unreadable: readonly string[];
}

export async function sealSecrets(
  { catalog, security }: Services,
  kinds: readonly ConfigurationKind[],
  resources: readonly ExportedResource[],
  passphrase: string,
): Promise<SealedSecrets> {
  const rows = new Map(kinds.map((row) => [row.kind, row]));
  const secrets: Record<string, SecretValues> = {};
  const unreadable: string[] = [];
  for (const { kind, path, printed } of resources) {
    const row = rows.get(kind);
    if (row?.readSecrets === undefined || !printed.toString().includes('"$secret"')) continue;
    const stored = await row.readSecrets(catalog, findAddress(row, path));
    const values: Record<string, string> = {};
    for (const [name, secret] of Object.entries(stored)) {
      const value = secret === null ? undefined : openSecret(security.sealer, revealSecret(secret), secret);
      if (value !== undefined) values[name] = value;
      else if (secret !== null) unreadable.push(path);
    }
    secrets[path] = values;
  }
  const seal = await createSeal(passphrase);
  return {
    bytes: Buffer.concat([seal.header, seal.encrypt(Buffer.from(JSON.stringify(secrets)), 0, true)]),
    unreadable,
  };
}

/** Hashes of passwords are not encrypted. */
function openSecret(sealer: Sealer, text: string, secret: Parameters<Sealer['open']>[0]): string | undefined {
  if (!isSealed(text)) return text;
  try {
    return sealer.open(secret);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** Returns the document with the secrets in the place of their placeholders. */
export async function insertSecrets(
  document: ConfigurationDocument,
  sealed: Buffer,
  passphrase: string,
): Promise<ConfigurationDocument> {
  const secrets = await openSecrets(sealed, passphrase);
  const resources = new Map(document.resources);
  const texts = new TextBuffer();
  for (const [path, values] of Object.entries(secrets)) {
    const resource = resources.get(path);
    if (resource === undefined) continue;
    const { row, fields } = resource;
    const filled = { kind: row.kind, path, fields: fillFields(fields, values) };
    resources.set(path, new DocumentResource(row, path, texts.append(JSON.stringify(filled))));
  }
  return { ...document, resources };
}

async function openSecrets(sealed: Buffer, passphrase: string): Promise<Readonly<Record<string, SecretValues>>> {
  try {
    const seal = await openSeal(sealed.subarray(0, SEAL_HEADER_BYTES), passphrase);
    const text = seal.decrypt(sealed.subarray(SEAL_HEADER_BYTES), 0, true).toString();
    // The server wrote it: its encryption proves that.
    return JSON.parse(text) as Readonly<Record<string, SecretValues>>;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw problem('archive-refused', { entry: SECRETS_ENTRY, reason });
  }
}

function fillFields(fields: Fields, values: SecretValues): Fields {
  const fill = (name: string, value: Json): Json => (isKeptSecret(value) ? (values[name] ?? value) : value);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!isObject(value) || isKeptSecret(value)) return [name, fill(name, value)];
      return [name, Object.fromEntries(Object.entries(value).map(([entry, inner]) => [entry, fill(entry, inner)]))];
    }),
  );
}
