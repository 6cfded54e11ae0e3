/** The route of the files of a change: styles and templates before and after it, so that their texts can be compared. */
import { styleFileKind } from '../../catalog/kinds/style.ts';
import { templateKind } from '../../catalog/kinds/template.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Catalog } from '../../records/catalog.ts';
import { BlobMissing, isHash } from '../../storage/blobs/port.ts';
import { getContent, type Services } from '../common/services.ts';
import { findChange } from './find-change.ts';

/** The kinds whose `content` is the hash of a small file. */
const kinds: ReadonlySet<string> = new Set([styleFileKind.kind, templateKind.kind]);

export function readFileRow() {
  return getContent(
    '/history/:sequence/files/:sha256',
    'Read a style or template file as it was before or after a change',
    {
      mediaType: 'application/octet-stream',
      rejectsUnknownQuery: true,
      problems: ['change-unknown', 'change-file-unknown'],
    },
    ({ services, params: { sequence, sha256 } }) => readChangedFile(services, sequence, sha256),
  );
}

async function readChangedFile({ catalog, files }: Services, sequence: string, hash: string): Promise<Uint8Array> {
  const change = await findChange(catalog, sequence);
  const unknown = () => problem('change-file-unknown', { sequence: String(change.sequence), hash: excerpt(hash) });
  // Only files that the change names: the hash alone gives no access.
  if (!isHash(hash) || !(await namesFile(catalog, change.sequence, hash))) throw unknown();
  try {
    return await files.read(hash);
  } catch (error) {
    if (error instanceof BlobMissing) throw unknown();
    throw error;
  }
}

async function namesFile(catalog: Catalog, sequence: number, hash: string): Promise<boolean> {
  for await (const { kind, before, after } of catalog.log.readItems(sequence)) {
    if (kinds.has(kind) && [before, after].some((state) => state?.body['content'] === hash)) return true;
  }
  return false;
}
