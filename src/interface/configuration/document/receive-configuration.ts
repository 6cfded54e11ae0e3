/** Receives a configuration from a client: the document alone, or an archive with the uploaded files. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upload } from '../../../http/body/uploads.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { Services } from '../../common/services.ts';
import type { ConfigurationKind } from '../model/kind.ts';
import type { UploadedFile } from '../model/uploaded-file.ts';
import { insertSecrets, SECRETS_ENTRY } from './archive-secrets.ts';
import { type ConfigurationDocument, readConfiguration } from './document.ts';
import { TextBuffer } from './text-buffer.ts';

export interface ReceivedConfiguration {
  readonly document: ConfigurationDocument;
  /** By hash. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** For further texts of the request. */
  readonly texts: TextBuffer;
  /** Deletes the staged files; idempotent. */
  discard(): Promise<void>;
}

/** A hundred thousand layers need about 60 MB. */
const MAX_DOCUMENT_BYTES = 268_435_456;

/** Larger documents may be kept in a file. */
const LARGE_BYTES = 4_194_304;

const DOCUMENT = 'configuration.json';
const FILES = 'files/';

const archiveTypes: readonly string[] = ['application/zip', 'application/x-zip-compressed'];
const documentTypes: readonly string[] = ['application/json', 'text/json'];

export async function receiveConfiguration(
  services: Services,
  upload: Upload,
  kinds: readonly ConfigurationKind[],
  passphrase: string | undefined,
): Promise<ReceivedConfiguration> {
  const { mediaType } = upload;
  if (mediaType !== undefined && archiveTypes.includes(mediaType)) {
    return receiveArchive(services, upload, kinds, passphrase);
  }
  if (mediaType !== undefined && !documentTypes.includes(mediaType)) {
    throw problem('body-type-unknown', { found: mediaType, expected: [...documentTypes, ...archiveTypes] });
  }
  const bytes = await upload.bytes(MAX_DOCUMENT_BYTES);
  if (bytes.length === 0) {
    throw problem('document-missing', { root: 'configuration' });
  }
  const staging = bytes.length > LARGE_BYTES ? await services.files.createStaging('configuration') : undefined;
  const texts = new TextBuffer(staging?.path);
  const discard = async () => {
    texts.close();
    await staging?.discard();
  };
  try {
    return { document: await readConfiguration(bytes, kinds, texts), files: new Map(), texts, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function receiveArchive(
  { files, uploads }: Services,
  upload: Upload,
  kinds: readonly ConfigurationKind[],
  passphrase: string | undefined,
): Promise<ReceivedConfiguration> {
  const staging = await files.createStaging('configuration');
  const texts = new TextBuffer(staging.path);
  const discard = async () => {
    texts.close();
    await staging.discard();
  };
  try {
    const archive = join(staging.path, 'archive');
    await upload.saveTo(archive);
    const unpacked = await uploads.unpack(archive, join(staging.path, 'content'));
    const found = unpacked.find(({ name }) => name === DOCUMENT);
    if (found === undefined || found.bytes > MAX_DOCUMENT_BYTES) {
      const reason = found === undefined ? `${DOCUMENT} is missing` : `${DOCUMENT} exceeds the size limit`;
      throw problem('archive-refused', { entry: null, reason });
    }
    const sent = unpacked.filter(({ name }) => name.startsWith(FILES));
    const other = sent.find(({ name, hash }) => name !== `${FILES}${hash}`);
    if (other !== undefined) {
      throw problem('archive-refused', { entry: other.name, reason: 'the name is not the hash of the content' });
    }
    const document = await readConfiguration(await readFile(found.path), kinds, texts);
    const secrets = unpacked.find(({ name }) => name === SECRETS_ENTRY);
    return {
      document:
        secrets === undefined || passphrase === undefined
          ? document
          : await insertSecrets(document, await readFile(secrets.path), passphrase),
      files: new Map(sent.map(({ hash = '', path, bytes }) => [hash, { file: path, bytes }])),
      texts,
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}
