/** The content of files as fields: text where that gives the same bytes again, and else base64. */
import type { Files } from '../../../records/files/files.ts';
import { BlobMissing } from '../../../storage/blobs/port.ts';
import type { Fields } from './fields.ts';

/** Without content where that is lost. */
export async function readContentFields(files: Pick<Files, 'readCached'>, hash: string): Promise<Fields> {
  const bytes = await findBytes(files, hash);
  return bytes === undefined ? { content: null } : toContentFields(bytes);
}

export function toContentFields(bytes: Buffer): Fields {
  const text = decodeUtf8(bytes);
  return text === undefined ? { contentBase64: bytes.toString('base64') } : { content: text };
}

/** What was purged or lost is not there. */
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

/** Undefined for bytes that would not be the same again. */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What the fields say that the content is; undefined where they say nothing. */
export function toContentBytes({ content, contentBase64 }: Fields): string | Buffer | undefined {
  if (typeof contentBase64 === 'string') {
    return Buffer.from(contentBase64, 'base64');
  }
  return typeof content === 'string' ? content : undefined;
}

/** Of the two spellings one counts: whoever gives one takes the other away. */
export function normaliseContent(fields: Fields): Fields {
  const { content, contentBase64 } = fields;
  if (typeof content === 'string' && contentBase64 === undefined) {
    return { ...fields, contentBase64: null };
  }
  return typeof contentBase64 === 'string' && content === undefined ? { ...fields, content: null } : fields;
}
