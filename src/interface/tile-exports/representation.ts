/** The documents for tile exports. */
import { defineDocument } from '../../http/documents/document.ts';
import type { Field, FieldReader, WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { ResourcePath } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { ArchiveKind } from '../../lib/tile-archive/archive-file.ts';
import { countExportedTiles, type DegreeBox, isDegreeBox } from '../../lib/tile-archive/exported-tiles.ts';
import { formatTimestamp } from '../../lib/values/timestamp.ts';
import type { ExportState, ExportStatus } from '../../tiles/exports/export-job.ts';
import { findTileFormat } from '../../tiles/tile-format.ts';
import { isNil, readNumbers, toSequence, toValueMember } from '../common/list-nodes.ts';

/** An export as a client sees it. */
export interface ExportView {
  readonly status: ExportStatus;
  /** The path of the export, in the workspace of the request or without one. */
  readonly path: ResourcePath;
  readonly fileUrl: string;
}

const { text, integer, serverText, timestamp } = createFieldBuilders<ExportView>();

const archives: readonly ArchiveKind[] = ['pmtiles', 'mbtiles'];

const states: readonly ExportState[] = ['pending', 'running', 'finished', 'failed', 'cancelled'];

export const tileExportDocument = defineDocument(
  'tileExport',
  {
    id: serverText(({ status }) => status.job.id, { description: 'Id of the export.' }),
    layer: text(({ status }) => status.job.name, {
      required: true,
      description: 'The layer or group.',
      example: 'acme:roads',
    }),
    archive: archiveField(),
    format: text(({ status }) => findTileFormat(status.job.format)?.mediaType, {
      description: 'Media type or name of the tiles: PNG, JPEG, WebP or vector tiles. Default: image/png.',
      example: 'image/png',
    }),
    style: text(({ status }) => status.job.styleName, { description: 'Default: the default style of the layer.' }),
    zoomStart: integer(({ status }) => status.job.zooms[0]?.zoom, {
      description: 'Default: the first level that the tile settings of the layer offer.',
    }),
    zoomStop: integer(({ status }) => status.job.zooms.at(-1)?.zoom, { required: true, example: 8 }),
    bounds: boundsField(),
    state: {
      ...serverText(({ status }) => status.state),
      schema: { type: 'string', readOnly: true, enum: states, description: 'A finished export has an archive.' },
    },
    tilesTotal: count(({ status }) => countExportedTiles(status.job.zooms), 'Tiles of all levels.'),
    tilesDone: count(({ status }) => status.done, 'Drawn tiles, including empty ones.'),
    tilesWritten: count(({ status }) => status.written, 'Tiles in the archive. Empty vector tiles are omitted.'),
    tilesIncomplete: count(
      ({ status }) => status.incomplete,
      'Tiles without some features, because reading them took too long.',
    ),
    layerChanged: {
      write: ({ status }) => ({ kind: 'value', value: status.hasChanged === true }),
      required: false,
      schema: {
        type: 'boolean',
        readOnly: true,
        description:
          'Whether the layer, its style or its uploaded data changed during the export. The archive then has tiles from before and after the change.',
      },
    },
    bytes: count(({ status }) => status.bytes, 'Size of the archive so far.'),
    attempts: count(({ status }) => status.attempts, 'More than 1 if the server that wrote it stopped.'),
    createdBy: serverText(({ status }) => status.job.createdBy, { description: 'The user who started it.' }),
    created: timestamp(({ status }) => status.job.createdAtMs),
    started: timestamp(({ status }) => status.startedAtMs),
    finished: timestamp(({ status }) => status.finishedAtMs, {
      description: 'When it ended, with or without success.',
    }),
    expires: timestamp(({ status }) => status.expiresAtMs, { description: 'When it is deleted with its archive.' }),
    problem: serverText(({ status }) => status.problem, { description: 'Why it failed.' }),
    file: {
      ...serverText(({ status, fileUrl }) => (status.state === 'finished' ? fileUrl : undefined)),
      schema: { type: 'string', format: 'uri', readOnly: true, description: 'The archive of a finished export.' },
    },
  },
  { title: ({ status: { job } }) => `Tile export of ${job.name}` },
);

export const tileExportListing = createListWriter<ExportView>('tileExports', {
  itemName: 'tileExport',
  title: 'Tile exports',
  name: ({ status }) => status.job.id,
  path: ({ path }) => path,
  details: {
    properties: {
      layer: { type: 'string' },
      state: { type: 'string', enum: states },
      bytes: { type: 'integer' },
      created: { type: 'string' },
      createdBy: { type: 'string' },
      archive: { type: 'string', enum: archives },
      format: { type: 'string', description: 'Media type of the tiles.' },
      tilesTotal: { type: 'integer' },
      tilesDone: { type: 'integer' },
      tilesIncomplete: { type: 'integer' },
      layerChanged: { type: 'boolean' },
      problem: { type: 'string', description: 'Why it failed.' },
    },
    write: ({ status }) => [
      toValueMember('layer', status.job.name),
      toValueMember('state', status.state),
      toValueMember('bytes', status.bytes),
      toValueMember('created', formatTimestamp(status.job.createdAtMs)),
      toValueMember('createdBy', status.job.createdBy),
      toValueMember('archive', status.job.archive),
      toValueMember('format', findTileFormat(status.job.format)?.mediaType ?? status.job.format),
      toValueMember('tilesTotal', countExportedTiles(status.job.zooms)),
      toValueMember('tilesDone', status.done),
      toValueMember('tilesIncomplete', status.incomplete),
      toValueMember('layerChanged', status.hasChanged === true),
      ...(status.problem == null ? [] : [toValueMember('problem', status.problem)]),
    ],
  },
});

function count(value: (view: ExportView) => number, description: string): Field<ExportView, never> {
  return {
    write: (view) => ({ kind: 'value', value: value(view) }),
    required: false,
    schema: { type: 'integer', readOnly: true, description },
  };
}

function archiveField(): WritableField<ExportView, ArchiveKind> {
  const name = text(({ status }) => status.job.archive);
  return {
    ...name,
    read(nodes, reader) {
      const written = name.read(nodes, reader);
      if (written == null) return written;
      const archive = archives.find((each) => each === written.toLowerCase());
      if (archive === undefined) reader.reportError(`expected ${archives.join(' or ')}, found '${excerpt(written)}'`);
      return archive;
    },
    schema: { type: 'string', enum: archives, description: 'The format of the file. Default: pmtiles.' },
  };
}

function boundsField(): WritableField<ExportView, DegreeBox> {
  return {
    read: readBounds,
    write: ({ status }) => toSequence('double', status.job.bounds),
    required: false,
    schema: {
      type: 'array',
      items: { type: 'number' },
      description: 'West, south, east and north in degrees. Default: the extent of the layer.',
      examples: [[5, 45, 11, 48]],
    },
  };
}

function readBounds(nodes: readonly InputNode[], reader: FieldReader): DegreeBox | null | undefined {
  if (isNil(nodes)) return null;
  const numbers = readNumbers(nodes, reader);
  if (numbers == null) return numbers;
  if (isDegreeBox(numbers)) return numbers;
  reader.reportError(
    'expected four numbers in degrees: west, south, east and north, with west below east and south below north',
  );
  return undefined;
}
