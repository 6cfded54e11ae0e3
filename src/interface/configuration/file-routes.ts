/** Routes for the files of a configuration, which clients send one by one before they apply it. */
import { join } from 'node:path';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { JsonTree } from '../../lib/json/tree.ts';
import { type FieldError, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { isHash } from '../../storage/blobs/port.ts';
import { postQuery, upload } from '../common/services.ts';

/** A list of this length has 7 MB. */
const MAX_HASHES = 100_000;

const hashList = {
  type: 'array',
  maxItems: MAX_HASHES,
  items: { type: 'string', pattern: '^[0-9a-f]{64}$', examples: ['0'.repeat(64)] },
} as const;

const filesShape: DocumentWriter<never> = {
  root: 'files',
  schemaName: 'ConfigurationFiles',
  schema: { type: 'object', properties: { sha256: hashList }, required: ['sha256'] },
  write() {
    throw new Error('The list of files formats itself.');
  },
};

export const configurationFileRows = [
  postQuery(
    '/configuration/files/missing',
    'List the files of a configuration that the server does not have, by their SHA-256',
    {
      accepts: { kind: 'json', shape: filesShape },
      returns: filesShape,
      rejectsUnknownQuery: true,
      problems: ['json-malformed', 'document-missing', 'document-invalid', 'document-too-deep'],
    },
    async ({ services, body }) => {
      const missing = await services.sentFiles.listMissing(services.files, readHashes(body));
      const before = '{"sha256":[';
      return {
        list: { frame: { before, between: ',', after: ']}', empty: `${before}]}` }, pieces: toPieces(missing) },
      };
    },
  ),

  upload(
    '/configuration/files/:sha256',
    'Store a file of a configuration that will be applied within a day',
    {
      what: 'The bytes of the file, of any type.',
      otherSuccesses: [200],
      rejectsUnknownQuery: true,
      problems: ['file-hash-invalid', 'file-hash-mismatch'],
    },
    async ({ services, params: { sha256: hash }, body }) => {
      if (!isHash(hash)) throw problem('file-hash-invalid', { hash: excerpt(hash) });
      const { files, sentFiles, catalog } = services;
      const staging = await files.createStaging('configuration-file');
      try {
        const file = join(staging.path, 'body');
        const bytes = await body.saveTo(file);
        return await files.runFileOperation(async (keeper) => {
          const [staged] = await keeper.flush([{ path: hash, file, bytes }]);
          if (staged?.hash !== hash) throw problem('file-hash-mismatch', { expected: hash, found: staged?.hash ?? '' });
          const isPresent = (await files.stored.blobs.getState(hash)) === 'present';
          if (!catalog.isDryRun) await sentFiles.keep([hash]);
          await keeper.storeFile(staged);
          return {
            location: ['configuration', 'files', hash],
            text: hash,
            ...(isPresent ? { status: 200 as const } : {}),
          };
        });
      } finally {
        await staging.discard();
      }
    },
  ),
] as const;

function readHashes(body: JsonTree): readonly string[] {
  const members = body.kind === 'object' ? body.members : new Map<string, JsonTree>();
  const list = members.get('sha256');
  const complaints = [...members.keys()].flatMap((name): FieldError[] =>
    name === 'sha256' ? [] : [{ field: name, message: 'unknown field; allowed fields: sha256' }],
  );
  const hashes: string[] = [];
  if (list?.kind !== 'array') {
    complaints.push({ field: 'sha256', message: 'expected a list of SHA-256 hashes' });
  } else if (list.items.length > MAX_HASHES) {
    complaints.push({ field: 'sha256', message: `found ${list.items.length} hashes; the limit is ${MAX_HASHES}` });
  } else {
    for (const [index, item] of list.items.entries()) {
      const text = item.kind === 'string' ? item.text : '';
      hashes.push(text);
      if (isHash(text)) continue;
      const message = `expected 64 hexadecimal digits in lower case, found '${excerpt(text)}'`;
      complaints.push({ field: `sha256[${index}]`, message });
      break;
    }
  }
  const [first] = complaints;
  if (first !== undefined) throw problem('document-invalid', { complaints, field: first.field });
  return [...new Set(hashes)];
}

async function* toPieces(hashes: readonly string[]): AsyncGenerator<string> {
  for (const hash of hashes) yield JSON.stringify(hash);
}
