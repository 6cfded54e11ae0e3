/** File content as fields: text if it round-trips to the same bytes, otherwise base64. */
import type { Files } from '../../../records/files/files.ts';
import { BlobMissing } from '../../../storage/blobs/port.ts';
import type { Fields } from './fields.ts';

/** Without content if it is lost. */
export async function readContentFields(files: Pick<Files, 'readCached'>, hash: string): Promise<Fields> {
  const bytes = await findBytes(files, hash);
  return bytes === undefined ? { content: null } : toContentFields(bytes);
}

export function toContentFields(bytes: Buffer): Fields {
  const text = decodeUtf8(bytes);
  return text === undefined ? { contentBase64: bytes.toString('base64') } : { content: text };
}

/** Purged or lost content is absent. */
export async function findBytes(files: Pick<Files, 'readCached'>, hash: string): Promise<Buffer | undefined> {
  try {
    return await files.readCached(hash);
  } catch (error) {
    if (error instanceof BlobMissing) {
      return undefined;
    }
    throw error;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined for bytes that do not round-trip as text. */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The content that the fields contain; undefined if they contain none. */
export function toContentBytes({ content, contentBase64 }: Fields): string | Buffer | undefined {
  if (typeof contentBase64 === 'string') {
    return Buffer.from(contentBase64, 'base64');
  }
  return typeof content === 'string' ? content : undefined;
}

/** Only one of the two forms applies; setting one clears the other. */
export function normaliseContent(fields: Fields): Fields {
  const { content, contentBase64 } = fields;
  if (typeof content === 'string' && contentBase64 === undefined) {
    return { ...fields, contentBase64: null };
  }
  return typeof contentBase64 === 'string' && content === undefined ? { ...fields, content: null } : fields;
}
