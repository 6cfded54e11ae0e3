/** What a client sends as its configuration: the document alone, or an archive that has the files of uploaded data too. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upload } from '../../../http/body/uploads.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Services } from '../../common/services.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import type { UploadedFile } from '../model/uploaded-file.ts';
import { type ConfigurationDocument, readConfiguration } from './document.ts';

export interface ReceivedConfiguration {
  readonly document: ConfigurationDocument;
  /** By their hash. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** Takes away what was staged; doing so twice is fine. */
  discard(): Promise<void>;
}

/** A hundred thousand layers have 60 MB. */
const MAX_DOCUMENT_BYTES = 268_435_456;

const DOCUMENT = 'configuration.json';
const FILES = 'files/';

const archiveTypes: readonly string[] = ['application/zip', 'application/x-zip-compressed'];
const documentTypes: readonly string[] = ['application/json', 'text/json'];

export async function receiveConfiguration(
  services: Services,
  upload: Upload,
  kinds: readonly ConfigurationKind[],
): Promise<ReceivedConfiguration> {
  const { mediaType } = upload;
  if (mediaType !== undefined && archiveTypes.includes(mediaType)) {
    return receiveArchive(services, upload, kinds);
  }
  if (mediaType !== undefined && !documentTypes.includes(mediaType)) {
    throw problem('body-type-unknown', { found: mediaType, expected: [...documentTypes, ...archiveTypes] });
  }
  const bytes = await upload.bytes(MAX_DOCUMENT_BYTES);
  if (bytes.length === 0) {
    throw problem('document-missing', { root: 'configuration' });
  }
  return { document: await readConfiguration(bytes, kinds), files: new Map(), discard: async () => undefined };
}

async function receiveArchive(
  { files, uploads }: Services,
  upload: Upload,
  kinds: readonly ConfigurationKind[],
): Promise<ReceivedConfiguration> {
  const staging = await files.createStaging('configuration');
  try {
    const archive = join(staging.path, 'archive');
    await upload.saveTo(archive);
    const unpacked = await uploads.unpack(archive, join(staging.path, 'content'));
    const found = unpacked.find(({ name }) => name === DOCUMENT);
    if (found === undefined || found.bytes > MAX_DOCUMENT_BYTES) {
      const reason = found === undefined ? `it has no ${DOCUMENT}` : `its ${DOCUMENT} is too large`;
      throw problem('archive-refused', { entry: null, reason });
    }
    const sent = unpacked.filter(({ name }) => name.startsWith(FILES));
    const other = sent.find(({ name, hash }) => name !== `${FILES}${hash}`);
    if (other !== undefined) {
      throw problem('archive-refused', { entry: other.name, reason: 'it is not called after the hash of its bytes' });
    }
    return {
      document: await readConfiguration(await readFile(found.path), kinds),
      files: new Map(sent.map(({ hash = '', path, bytes }) => [hash, { file: path, bytes }])),
      discard: () => staging.discard(),
    };
  } catch (error) {
    await staging.discard();
    throw error;
  }
}
