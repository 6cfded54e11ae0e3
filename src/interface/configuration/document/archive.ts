/** The configuration as a ZIP archive: the document, and every uploaded file once, named by its hash. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findDataStore } from '../../../catalog/stores/data-stores.ts';
import { LARGE_ENTRY_BYTES, writeZip, type ZipEntry } from '../../../formats/writing/zip-stream.ts';
import type { OpenFileReply } from '../../../http/routes/outcome.ts';
import { createFileFromHandle } from '../../../lib/files/readable-file.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { Files } from '../../../records/files/files.ts';
import type { HashedStagedFile } from '../../../records/files/staged-files.ts';
import { BlobMissing } from '../../../storage/blobs/port.ts';
import type { Services } from '../../common/services.ts';
import { type Fields, isObject } from '../model/fields.ts';
import { listEditedFiles, readFiles } from '../model/files.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import { SECRETS_ENTRY, type SealedSecrets, sealSecrets } from './archive-secrets.ts';
import { parseResourcePath } from './document.ts';
import { type ExportedConfiguration, type ExportedResource, replaceExportedFields } from './export-resources.ts';

export const ARCHIVE_TYPE = 'application/zip';

/** The earliest ZIP date, so that the same configuration gives the same archive. */
const FIRST_DAY = new Date(1980, 0, 1);

/** Includes the secrets, encrypted with the passphrase. */
export interface ArchiveSecrets {
  readonly kinds: readonly ConfigurationKind[];
  readonly passphrase: string;
}

export interface Archive {
  readonly openFile: OpenFileReply;
  /** Identifies the edits that the archive contains; empty without edits. */
  readonly variant: string;
  /** Warnings about missing content. */
  readonly warnings: readonly string[];
}

/**
 * Written to disk first, so that read errors are reported instead of truncating the response; deleted after sending.
 */
export async function createArchive(
  services: Services,
  exported: ExportedConfiguration,
  print: (exported: ExportedConfiguration) => AsyncIterable<string>,
  secrets: ArchiveSecrets | undefined,
): Promise<Archive> {
  const { files } = services;
  const staging = await files.createStaging('configuration');
  try {
    const { resources, copies, warnings } = await copyEditedFiles(services, exported.resources, staging.path);
    const streamDocument = () => encodeText(print({ ...exported, resources }));
    const entries: ZipEntry[] = [{ name: 'configuration.json', content: streamDocument }];
    for (const hash of listHashes(resources)) {
      const file = copies.get(hash) ?? join(staging.path, hash);
      if (copies.has(hash) || (await writeBlobIfPresent(files, hash, file))) {
        const isLarge = (await stat(file)).size >= LARGE_ENTRY_BYTES;
        entries.push({ name: `files/${hash}`, content: () => createReadStream(file), isLarge });
      }
    }
    const sealed = secrets && (await sealSecrets(services, secrets.kinds, resources, secrets.passphrase));
    if (sealed !== undefined) entries.push({ name: SECRETS_ENTRY, content: () => streamBytes(sealed.bytes) });
    const archive = join(staging.path, 'archive');
    await pipeline(writeZip(entries, FIRST_DAY), createWriteStream(archive, { flags: 'wx', mode: 0o600 }));
    const handle = await open(archive, 'r');
    const { size: sizeBytes } = await handle.stat();
    const opened = createFileFromHandle(handle);
    const file = {
      pieces: opened.pieces,
      async close() {
        await opened.close();
        await staging.discard();
      },
    };
    const openFile = { mediaType: ARCHIVE_TYPE, sizeBytes, file };
    return {
      openFile,
      variant: copies.size === 0 ? '' : computeVariant([...copies.keys()]),
      warnings: [...warnings, ...listUnreadable(sealed)],
    };
  } catch (error) {
    await staging.discard();
    throw error;
  }
}

function listUnreadable(sealed: SealedSecrets | undefined): readonly string[] {
  const paths = sealed?.unreadable ?? [];
  return paths.map((path) => `The archive does not contain a secret of ${path}, which the keystore cannot open.`);
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function computeVariant(hashes: readonly string[]): string {
  return createHash('sha256').update(hashes.toSorted().join()).digest('hex').slice(0, 16);
}

/** Copies every file edited in place and adds it to the document; warns about files that cannot be copied. */
async function copyEditedFiles(services: Services, resources: readonly ExportedResource[], folder: string) {
  const copies = new Map<string, string>();
  const warnings: string[] = [];
  const exported: ExportedResource[] = [];
  for (const resource of resources) {
    const fields = resource.printed.toString().includes('"edited":true') ? (JSON.parse(resource.fields) as Fields) : {};
    const [edited] = listEditedFiles(fields);
    if (edited === undefined || !isObject(edited)) {
      exported.push(resource);
      continue;
    }
    try {
      const { hash, file, bytes } = await copyEditedFile(services, resource, join(folder, `edited-${copies.size}`));
      copies.set(hash, file);
      exported.push(replaceExportedFields(resource, { ...fields, files: [{ ...edited, bytes, sha256: hash }] }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      warnings.push(`The archive does not contain the edited features of ${resource.path}: ${error.message}`);
      exported.push(resource);
    }
  }
  return { resources: exported, copies, warnings };
}

async function copyEditedFile(
  { catalog, vectorData, files }: Services,
  { path }: ExportedResource,
  file: string,
): Promise<HashedStagedFile> {
  const [, workspace = '', , store = ''] = parseResourcePath(path) ?? [];
  await vectorData.copyFile((await findDataStore(catalog, workspace, store)).store, file);
  const staged = { path: 'edited', file, bytes: (await stat(file)).size };
  const [hashed] = await files.runFileOperation((keeper) => keeper.flush([staged]));
  if (hashed === undefined) throw new Error('A file was not hashed');
  return hashed;
}

function listHashes(resources: readonly ExportedResource[]): ReadonlySet<string> {
  const exported = resources.filter(({ fields }) => fields.includes('"sha256"'));
  return new Set(
    exported.flatMap(({ fields }) => readFiles(JSON.parse(fields) as Fields).map(({ sha256 }) => sha256)).sort(),
  );
}

/** Lost files appear only in the document. */
async function writeBlobIfPresent({ stored: storedFiles }: Files, hash: string, file: string): Promise<boolean> {
  try {
    await storedFiles.blobs.linkTo(hash, file);
    return true;
  } catch (error) {
    if (error instanceof BlobMissing) {
      return false;
    }
    throw error;
  }
}

async function* encodeText(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) {
    yield Buffer.from(piece);
  }
}
