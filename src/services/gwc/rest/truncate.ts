/** Truncates tiles: of all layers, of a layer, or of an area. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../../lib/text/document-limits.ts';
import type { TileRange } from '../../../tiles/cache/tile-key.ts';
import type { MapAccess } from '../../access/map-access.ts';
import { createParameterProblem } from '../../ows/service-parameters.ts';
import { tagRequestedParameters } from '../../tiles/parameter-tags.ts';
import { getMapId } from '../../tiles/possible-formats.ts';
import { selectTileFormat } from '../../tiles/select-tile.ts';
import { loadTileSettings, selectTileMatrixSet } from '../../tiles/tile-offer.ts';
import { createJsonReply, createXmlReply, done, type Extension, selectFormat, writeElement } from './documents.ts';
import { type GwcRestCall, getPublishedMap, openAdminAccess } from './responses.ts';
import { type Fields, readBounds, readFields, readTileParameters } from './seed-request.ts';
import { listAreas } from './tile-areas.ts';

const operations = ['truncateLayer', 'truncateExtent', 'truncateParameters', 'truncateOrphans', 'truncateAll'] as const;

export async function listTruncateOperations(call: GwcRestCall, extension: Extension): Promise<ServiceReply> {
  await openAdminAccess(call);
  if (selectFormat(call, extension, 'xml') === 'json') {
    return createJsonReply({ massTruncateRequests: { requestType: operations } });
  }
  const items = operations.map((name) => writeElement('requestType', name)).join('');
  return createXmlReply(`<massTruncateRequests>${items}</massTruncateRequests>`);
}

export async function truncate(call: GwcRestCall, limits: DocumentLimits): Promise<ServiceReply> {
  const mapAccess = await openAdminAccess(call);
  const { root, fields } = await readFields(await call.text(), limits);
  const operation = operations.find((each) => each === root);
  const { tileCache } = call.services;
  switch (operation) {
    case undefined:
      throw createParameterProblem('request', root, `one of ${operations.join(', ')}`);
    case 'truncateOrphans':
      // Tiles of deleted layers are never returned, and the size limit removes them.
      return done;
    case 'truncateAll':
      await tileCache.invalidate({});
      return done;
    default: {
      const range = await readRange({ call, mapAccess, limits }, fields, operation);
      await tileCache.invalidate(range);
      return done;
    }
  }
}

interface RangeContext {
  readonly call: GwcRestCall;
  readonly mapAccess: MapAccess;
  readonly limits: DocumentLimits;
}

async function readRange(
  { call, mapAccess, limits }: RangeContext,
  fields: Fields,
  operation: (typeof operations)[number],
): Promise<TileRange> {
  const { catalog } = call.services;
  const map = await getPublishedMap(mapAccess, fields.get('layerName') ?? '');
  const [grid, written] = [fields.get('gridSetId'), fields.get('format')];
  if (operation === 'truncateExtent' && grid === undefined) {
    throw problem('ows-parameter-missing', {
      parameter: 'gridSetId',
      expected: 'expected the grid set in whose CRS the bounds are',
      field: 'gridSetId',
    });
  }
  const offered = grid === undefined ? undefined : await selectTileMatrixSet(catalog, map, grid, 'gridSetId');
  const format = written === undefined ? undefined : await selectTileFormat(catalog, map, written, 'format');
  const bounds = readBounds(fields);
  const settings = await loadTileSettings(catalog, getMapId(map));
  const sent = operation === 'truncateParameters' ? readTileParameters(fields) : undefined;
  if (sent?.size === 0) {
    const expected = 'expected entries with the name and the value of a parameter';
    throw problem('ows-parameter-missing', { parameter: 'parameters', expected, field: 'parameters' });
  }
  return {
    map: getMapId(map),
    ...(sent && { parameters: await tagRequestedParameters(catalog, map, sent, limits) }),
    ...(offered === undefined ? {} : { set: offered.set.key }),
    ...(format === undefined ? {} : { format: format.name }),
    ...(offered === undefined || bounds === undefined ? {} : { areas: listAreas(offered.set, bounds, settings) }),
  };
}
