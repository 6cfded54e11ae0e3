/** The OpenAPI 3.0 definition of OGC API Tiles. */
import { declareParameter } from '../../ows/service-parameters.ts';
import { pixelRatioParameter } from '../../tiles/pixel-ratio.ts';
import { createListKind, describeParameter, formatParameters } from '../common/parameters.ts';
import { optionParameters } from '../common/requested-options.ts';
import { TILE_TYPE } from './documents.ts';
import { tilesPaths } from './paths.ts';
import type { TilesContext } from './tiles-context.ts';

/** The parameters of vector tiles and their tilesets. */
export const attributeParameters = {
  properties: declareParameter(
    'properties',
    createListKind('string'),
    'The attributes of the features. Default: all; without a value: none.',
  ),
};

/** The parameters of map tiles and their tilesets. */
export const ratioParameters = { pixelRatio: pixelRatioParameter };

const parameters = {
  collection: { description: 'The name of a collection.', schema: { type: 'string' } },
  style: { description: 'The name of a style of the collection.', schema: { type: 'string' } },
  set: { description: 'The name of a tile matrix set.', schema: { type: 'string' } },
  level: { description: 'The zoom level; level 0 covers the world.', schema: { type: 'integer', minimum: 0 } },
  row: { description: 'The row of the tile, counted from the north.', schema: { type: 'integer', minimum: 0 } },
  column: { description: 'The column of the tile, counted from the west.', schema: { type: 'integer', minimum: 0 } },
} as const;

export function buildApiDocument({ root, workspace }: TilesContext) {
  const inWorkspace = workspace === undefined ? '' : ` of ${workspace}`;
  return {
    openapi: '3.0.3',
    info: {
      title: `Tiles${inWorkspace}`,
      version: '1.0.0',
      description: 'Vector tiles of features, and map tiles.',
    },
    servers: [{ url: root }],
    paths: Object.fromEntries(
      tilesPaths.map(([path, summary, name]) => [
        path === '' ? '/' : path.replaceAll(/:(\w+)/g, '{$1}'),
        { get: buildOperation(path, summary, name) },
      ]),
    ),
    components: {
      schemas: {
        Problem: {
          type: 'object',
          properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' } },
        },
      },
    },
  };
}

function buildOperation(path: string, summary: string, name: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, each = '']) => each);
  const isTile = name === 'tile';
  const isPicture = name === 'mapTile' || name === 'styledTile';
  const binary = { schema: { type: 'string', format: 'binary' } };
  const bytes = isTile ? { [TILE_TYPE]: binary } : { 'image/png': binary, 'image/jpeg': binary, 'image/webp': binary };
  const content = isTile || isPicture ? bytes : { 'application/json': { schema: { type: 'object' } } };
  return {
    operationId: name,
    summary,
    tags: ['Tiles'],
    parameters: [
      ...names.map((each) => ({
        name: each,
        in: 'path',
        required: true,
        ...parameters[each as keyof typeof parameters],
      })),
      ...Object.values(formatParameters).map(describeParameter),
      ...(isTile || name === 'tileset' ? Object.values(attributeParameters).map(describeParameter) : []),
      ...(isPicture || name === 'mapTileset' || name === 'styledTileset'
        ? Object.values(ratioParameters).map(describeParameter)
        : []),
      ...(isTile || isPicture ? Object.values(optionParameters).map(describeParameter) : []),
    ],
    responses: {
      200: { description: summary, content },
      ...(isTile ? { 204: { description: 'The tile is empty.' } } : {}),
      default: {
        description: 'A problem document that describes the error.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}
