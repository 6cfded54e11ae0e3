/** The documents for grid sets. */
import { formatLevelName, type GridSetDraft } from '../../catalog/grid-sets/grid-set-draft.ts';
import type { GridSetView } from '../../catalog/grid-sets/grid-sets.ts';
import type { WrittenTileMatrixSet } from '../../catalog/grid-sets/tile-matrix-set-draft.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { type DocumentReader, defineDocument, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import type { WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import { countLevels, type GridMatrix } from '../../tiles/grids/grid-definition.ts';
import {
  isNil,
  listItems,
  readBox,
  readNumbers,
  readTexts,
  toNumber,
  toSequence,
  toValueMember,
  writeBox,
} from '../common/list-nodes.ts';
import { readTileMatrixSet } from './read-tile-matrix-set.ts';

const matrixMembers = ['originX', 'originY', 'columns', 'rows', 'tileWidth', 'tileHeight'] as const;

const { text, flag, integer } = createFieldBuilders<GridSetView>();

export const gridSetDocument = defineDocument(
  'gridSet',
  {
    name: text(({ definition }) => definition.name, {
      description: 'Unique. Clients request tiles by it. Required, but PUT uses the name of the path.',
      example: 'EPSG:21781',
    }),
    description: text(({ definition }) => definition.description || undefined, {
      description: 'The title in documents.',
    }),
    srs: srsField(),
    extent: extentField(),
    alignTopLeft: flag(({ definition }) => definition.alignTopLeft, {
      description: 'Whether tiles begin at the upper left corner of the extent. Default: false, the lower left corner.',
    }),
    resolutions: numbersField(
      ({ definition: { scales } }) => (scales.kind === 'resolutions' ? scales.values : undefined),
      'Pixel sizes in units of the CRS, from the coarsest to the finest. Required unless scaleDenominators or levels is set.',
    ),
    scaleDenominators: numbersField(
      ({ definition: { scales } }) => (scales.kind === 'scaleDenominators' ? scales.values : undefined),
      'Scale denominators, from the largest to the smallest.',
    ),
    levels: integer(({ definition: { scales } }) => (scales.kind === 'levels' ? scales.count : undefined), {
      description:
        'Number of levels. The first covers the extent, and the pixel size of each other is half of the one before.',
    }),
    metersPerUnit: numberField(
      ({ definition }) => definition.metersPerUnit ?? undefined,
      'Metres per unit of the CRS, for scale denominators. Default: that of the CRS.',
    ),
    pixelSize: numberField(
      ({ definition }) => definition.pixelSize,
      'Metres per pixel, for scale denominators. Default: 0.00028.',
    ),
    scaleNames: namesField(),
    tileHeight: integer(({ definition }) => definition.tileHeight, { description: 'Pixels. Default: 256.' }),
    tileWidth: integer(({ definition }) => definition.tileWidth, { description: 'Pixels. Default: 256.' }),
    yCoordinateFirst: flag(({ definition }) => definition.yCoordinateFirst ?? undefined, {
      description: 'Whether y precedes x in WMTS documents. Default: the axis order of the CRS.',
    }),
    tileMatrices: matricesField(),
  },
  { title: ({ definition }) => `Grid set ${definition.name}` },
);

export type GridSetInput =
  | { readonly kind: 'gridSet'; readonly draft: GridSetDraft }
  | { readonly kind: 'tileMatrixSet'; readonly written: WrittenTileMatrixSet };

/** Accepts documents of GeoWebCache and of OGC. */
export const gridSetReader: DocumentReader<GridSetInput> = {
  root: gridSetDocument.root,
  schema: gridSetDocument.schema,
  maxBytes: SMALL_DOCUMENT_BYTES,
  read(body, purpose, unknown) {
    const written = readTileMatrixSet(body);
    if (written !== undefined) return { kind: 'tileMatrixSet', written };
    return { kind: 'gridSet', draft: gridSetDocument.read(body, purpose, unknown) };
  },
};

export const gridSetListing = createListWriter<string>('gridSets', {
  itemName: 'gridSet',
  title: 'Grid sets',
  name: (name) => name,
  path: (name) => ['gridsets', name],
});

function numbersField(
  value: (resource: GridSetView) => readonly number[] | undefined,
  description: string,
): WritableField<GridSetView, readonly number[]> {
  return {
    read: (nodes, reader) => readNumbers(nodes, reader),
    write: (resource) => {
      const values = value(resource);
      return values && toSequence('double', values);
    },
    required: false,
    schema: { type: 'array', items: { type: 'number' }, description },
  };
}

function numberField(
  value: (resource: GridSetView) => number | undefined,
  description: string,
): WritableField<GridSetView, number> {
  return {
    read: (nodes, reader) => {
      const numbers = readNumbers(nodes, reader);
      if (numbers === null || numbers === undefined) return numbers;
      if (numbers.length !== 1) reader.reportError('expected a number');
      return numbers[0];
    },
    write: (resource) => {
      const number = value(resource);
      return number === undefined ? undefined : { kind: 'value', value: number };
    },
    required: false,
    schema: { type: 'number', description },
  };
}

/** `<srs><number>2056</number></srs>`; `EPSG:2056` and the bare number are accepted too. */
function srsField(): WritableField<GridSetView, number> {
  return {
    read: (nodes, { reportError }) => {
      if (isNil(nodes)) return null;
      const [node] = listItems(nodes, 'number');
      const number = Number(/^(?:EPSG:)?(\d{1,6})$/i.exec(node?.text.trim() ?? '')?.[1]);
      if (!Number.isNaN(number)) return number;
      reportError('expected the EPSG number of a CRS, such as 2056');
      return undefined;
    },
    write: ({ definition }) => ({ kind: 'object', members: [toValueMember('number', definition.epsg)] }),
    required: false,
    schema: {
      type: 'object',
      properties: { number: { type: 'integer' } },
      description: 'EPSG number of the CRS. Required.',
      examples: [{ number: 21_781 }],
    },
  };
}

/** `<extent><coords><double>…`: minimum x, minimum y, maximum x, maximum y. */
function extentField(): WritableField<GridSetView, Bounds> {
  return {
    read: readBox,
    write: ({ definition: { extent } }) => writeBox(extent),
    required: false,
    schema: {
      type: 'object',
      properties: { coords: { type: 'array', items: { type: 'number' } } },
      description: 'Area in the CRS: minimum x, minimum y, maximum x, maximum y. Required.',
      examples: [{ coords: [420_000, 30_000, 900_000, 350_000] }],
    },
  };
}

function namesField(): WritableField<GridSetView, readonly string[]> {
  return {
    read: readTexts,
    write: ({ definition: { name, scales, scaleNames } }) => {
      const usual = Array.from({ length: countLevels(scales) }, (_, level) => formatLevelName(name, level));
      return toSequence('string', scaleNames.length === 0 ? usual : scaleNames);
    },
    required: false,
    schema: {
      type: 'array',
      items: { type: 'string' },
      description: 'Name of each level. Default: the name of the grid set, a colon and the number of the level.',
    },
  };
}

/** Written only for grid sets whose tiles do not follow from the extent. */
function matricesField(): WritableField<GridSetView, readonly GridMatrix[]> {
  return {
    read: (nodes, { reportError }) => {
      if (isNil(nodes)) return null;
      const matrices = listItems(nodes, 'tileMatrix').map(readGridMatrix);
      if (matrices.every((matrix) => matrix !== undefined)) return matrices;
      reportError(`expected a list of objects with the numbers ${matrixMembers.join(', ')}`);
      return undefined;
    },
    write: ({ definition: { matrices } }) =>
      matrices === null
        ? undefined
        : {
            kind: 'sequence',
            members: matrices.map((matrix) => ({
              name: 'tileMatrix',
              node: { kind: 'object', members: matrixMembers.map((name) => toValueMember(name, matrix[name])) },
            })),
          },
    required: false,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(matrixMembers.map((name) => [name, { type: 'number' }])),
      },
      description:
        'Upper left corner, and sizes of tiles and matrix of each level, if they do not follow from the extent.',
    },
  };
}

function readGridMatrix(node: InputNode): GridMatrix | undefined {
  const read = (name: (typeof matrixMembers)[number]) => {
    const [only] = node.members.get(name) ?? [];
    return only === undefined ? Number.NaN : toNumber(only);
  };
  const [originX, originY, columns, rows] = [read('originX'), read('originY'), read('columns'), read('rows')];
  const matrix = { originX, originY, columns, rows, tileWidth: read('tileWidth'), tileHeight: read('tileHeight') };
  return Object.values(matrix).some(Number.isNaN) ? undefined : matrix;
}
