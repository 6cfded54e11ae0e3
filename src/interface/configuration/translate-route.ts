/** The route that translates a data directory of GeoServer to a configuration. It stores nothing. */
import { join } from 'node:path';
import type { DocumentWriter } from '../../http/documents/document.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { urlCheckKind } from '../../security/url-checks/url-check.ts';
import { readPassphrase } from '../common/passphrase.ts';
import { postQuery } from '../common/services.ts';

/** Configuration, styles and uploaded data; larger directories are for the command line. */
const MAX_ARCHIVE_BYTES = 2_147_483_648;

/** Pieces of the reply. */
const PIECE_BYTES = 65_536;

const zipTypes: readonly string[] = ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'];

const translationShape: DocumentWriter<never> = {
  root: 'translation',
  schemaName: 'Translation',
  schema: {
    type: 'object',
    properties: {
      report: {
        type: 'object',
        description: 'What is imported, adapted, skipped and ignored, with the reasons: that of `graticule move-in`.',
        additionalProperties: true,
      },
      configuration: {
        type: 'object',
        description: 'The document for diff and apply. It contains the passwords that the archive contains.',
        additionalProperties: true,
      },
    },
    required: ['report', 'configuration'],
  },
  write() {
    throw new Error('The translation formats itself.');
  },
};

export const translateRow = postQuery(
  '/configuration/translate',
  'Translate a ZIP archive of a GeoServer data directory to a configuration and a report, without storing anything',
  {
    accepts: { kind: 'upload', what: 'A ZIP archive of a data directory.' },
    returns: translationShape,
    confidential: true,
    rejectsUnknownQuery: true,
    query: { addUrlChecks: createFlagParameter('Also create URL checks for the remote servers of the source.') },
    problems: [
      'body-type-unknown',
      'archive-refused',
      'archive-too-large',
      'move-in-refused',
      'query-invalid',
      'work-refused',
      'work-too-slow',
      'work-too-large',
    ],
  },
  async ({ services, body, query, sent, signal, restUrl }) => {
    const { mediaType } = body;
    if (mediaType !== undefined && !zipTypes.includes(mediaType)) {
      throw problem('body-type-unknown', { found: mediaType, expected: zipTypes });
    }
    const { files, uploads, catalog, translateDirectory } = services;
    const staging = await files.createStaging('move-in');
    try {
      const archive = join(staging.path, 'archive');
      const folder = join(staging.path, 'content');
      await body.saveTo(archive, { maxBytes: MAX_ARCHIVE_BYTES });
      const unpacked = await uploads.unpack(archive, folder);
      const outcome = await translateDirectory(
        {
          folder,
          names: unpacked.map(({ name }) => name),
          masterPassword: readPassphrase(sent.headers),
          contextPath: new URL(restUrl).pathname.replace(/\/rest\/?$/, ''),
          urlChecks: await listExpressions(catalog),
          addsUrlChecks: query.addUrlChecks,
        },
        signal(),
      );
      if (outcome.kind === 'refused') throw problem('move-in-refused', outcome);
      const frame = { before: '', between: '', after: '', empty: '' };
      return { list: { frame, pieces: decodePieces(outcome.document) } };
    } finally {
      await staging.discard();
    }
  },
);

async function listExpressions(catalog: CatalogReader): Promise<readonly string[]> {
  return (await catalog.list(urlCheckKind, null)).flatMap(({ enabled, regex }) => (enabled ? [regex] : []));
}

/** The document is large: it is decoded in pieces. */
async function* decodePieces(bytes: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield decoder.decode(bytes.subarray(start, start + PIECE_BYTES), { stream: true });
  }
}
