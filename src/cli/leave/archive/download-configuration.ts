/** Downloads the configuration archive of a server to a temporary file, and reads it entry by entry. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { openSeal, SEAL_HEADER_BYTES } from '../../../lib/backup/seal.ts';
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { CommandError, type ServerClient } from '../../client/command.ts';
import { createPassphraseHeaders } from '../../client/passphrase.ts';
import { type ExportedConfiguration, isKeptSecret, isObject, type Resource } from './exported-configuration.ts';

const DOCUMENT = 'configuration.json';
const SECRETS = 'secrets';

/** Requests the secrets only if they are exported, encrypted with a passphrase that is used once. */
export async function downloadConfiguration(
  server: ServerClient,
  paths: readonly string[],
  withSecrets: boolean,
): Promise<ExportedConfiguration> {
  const passphrase = withSecrets ? randomBytes(32).toString('hex') : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'graticule-export-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const reply = await server.send({
      path: '/configuration',
      query: paths.map((path) => ['path', path] as const),
      headers: {
        accept: 'application/zip, application/problem+json;q=0.9',
        ...createPassphraseHeaders(passphrase),
      },
    });
    const file = join(folder, 'archive.zip');
    await pipeline(reply.pieces, createWriteStream(file, { mode: 0o600 }));
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
    const entries = await listEntries(zip);
    const document = JSON.parse((await readEntry(zip, entries, DOCUMENT)).toString()) as ExportedDocument;
    const secrets =
      passphrase === undefined ? {} : await openSecrets(await readEntry(zip, entries, SECRETS), passphrase);
    return {
      hash: document.hash,
      resources: document.resources.map((resource) => insertSecrets(resource, secrets[resource.path] ?? {})),
      hasFile: (sha256) => entries.has(`files/${sha256}`),
      openFile: (sha256) => openEntry(zip, entries, `files/${sha256}`),
      async close() {
        zip.close();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

interface ExportedDocument {
  readonly hash: string;
  readonly resources: readonly Resource[];
}

type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

async function listEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

async function readEntry(zip: ZipFile, entries: ReadonlyMap<string, Entry>, name: string): Promise<Buffer> {
  return buffer(await openEntry(zip, entries, name));
}

async function openEntry(zip: ZipFile, entries: ReadonlyMap<string, Entry>, name: string) {
  const entry = entries.get(name);
  if (entry === undefined) throw new CommandError(`The archive of the server does not contain '${name}'.`);
  return zip.openReadStreamPromise(entry);
}

async function openSecrets(sealed: Buffer, passphrase: string): Promise<Secrets> {
  const seal = await openSeal(sealed.subarray(0, SEAL_HEADER_BYTES), passphrase);
  // The server wrote it: its encryption proves that.
  return JSON.parse(seal.decrypt(sealed.subarray(SEAL_HEADER_BYTES), 0, true).toString()) as Secrets;
}

/** Secrets are fields, or entries of maps such as connection parameters. */
function insertSecrets({ kind, path, fields }: Resource, values: Readonly<Record<string, string>>): Resource {
  const insert = (members: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]): readonly [string, Json] => {
        if (isKeptSecret(value)) return [name, values[name] ?? value];
        return [name, isObject(value) ? insert(value) : value];
      }),
    );
  return { kind, path, fields: Object.keys(values).length === 0 ? fields : insert(fields) };
}
