/** What is asked of a WMTS, read from pairs or from the parts of a path. */
import { problem } from '../../lib/problems/problem.ts';
import { type Parameters, readList } from '../ows/parameters.ts';
import { negotiateVersion } from '../ows/versions.ts';
import type { TileFields } from '../tiles/select-tile.ts';

export type WmtsRequest = GetCapabilities | GetTile | GetFeatureInfo;

export interface GetCapabilities {
  readonly kind: 'GetCapabilities';
  readonly updateSequence?: string | undefined;
}

export interface GetTile {
  readonly kind: 'GetTile';
  readonly layer: string;
  readonly style: string | undefined;
  readonly format: string;
  readonly set: string;
  readonly level: string;
  readonly row: string;
  readonly column: string;
}

/** The features that are drawn at a pixel of a tile. */
export interface GetFeatureInfo extends Omit<GetTile, 'kind'> {
  readonly kind: 'GetFeatureInfo';
  readonly infoFormat: string;
  readonly i: string;
  readonly j: string;
}

/** As the standard calls them. */
export const wmtsFields: TileFields = {
  layer: 'Layer',
  style: 'Style',
  format: 'Format',
  set: 'TileMatrixSet',
  level: 'TileMatrix',
  row: 'TileRow',
  column: 'TileCol',
};

const VERSIONS = ['1.0.0'] as const;
const operations = ['GetCapabilities', 'GetTile', 'GetFeatureInfo'] as const;

export function readWmtsRequest(parameters: Parameters): WmtsRequest {
  const service = parameters.get('service');
  if (service !== undefined && service.trim().toUpperCase() !== 'WMTS') {
    throw problem('ows-service-unknown', { service, services: ['WMTS'], field: 'service' });
  }
  const asked = getRequiredField(parameters, 'request', 'Request', `one of ${operations.join(', ')} was expected`);
  const operation = operations.find((each) => each.toLowerCase() === asked.trim().toLowerCase());
  switch (operation) {
    case undefined:
      throw problem('ows-operation-unknown', { operation: asked, service: 'WMTS', operations, field: 'Request' });
    case 'GetCapabilities': {
      const acceptVersions = readList(parameters.get('acceptversions') ?? '');
      negotiateVersion(VERSIONS, { acceptVersions });
      return { kind: operation, updateSequence: parameters.get('updatesequence') };
    }
    case 'GetTile':
      return { ...readTile(parameters), kind: operation };
    case 'GetFeatureInfo':
      return {
        ...readTile(parameters),
        kind: operation,
        infoFormat: parameters.get('infoformat') ?? 'application/json',
        i: getRequiredField(parameters, 'i', 'I', 'the column of a pixel was expected'),
        j: getRequiredField(parameters, 'j', 'J', 'the row of a pixel was expected'),
      };
  }
}

function readTile(parameters: Parameters): Omit<GetTile, 'kind'> {
  return {
    layer: getRequiredField(parameters, 'layer', wmtsFields.layer, 'the name of a layer was expected'),
    style: parameters.get('style'),
    format: getRequiredField(parameters, 'format', wmtsFields.format, 'a media type such as image/png was expected'),
    set: getRequiredField(parameters, 'tilematrixset', wmtsFields.set, 'a grid such as EPSG:900913 was expected'),
    level: getRequiredField(parameters, 'tilematrix', wmtsFields.level, 'a level such as EPSG:900913:5 was expected'),
    row: getRequiredField(parameters, 'tilerow', wmtsFields.row, 'a whole number from 0 was expected'),
    column: getRequiredField(parameters, 'tilecol', wmtsFields.column, 'a whole number from 0 was expected'),
  };
}

function getRequiredField(parameters: Parameters, name: string, field: string, expected: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw problem('ows-parameter-missing', { parameter: field, expected, field });
  return value;
}

/**
 * The capabilities, a tile, or with the numbers of a pixel what is drawn there: `layer/style/grid/level/row/column/j/i`, where
 * the style may be left out. The format is a pair behind it.
 */
export function parseWmtsPath(path: string, parameters: Parameters): WmtsRequest {
  if (path === 'WMTSCapabilities.xml') return { kind: 'GetCapabilities' };
  const parts = path.split('/');
  const hasStyle = parts.length === 6 || parts.length === 8;
  const [layer = '', ...rest] = parts;
  const [style, ...numbers] = hasStyle ? rest : [undefined, ...rest];
  const [set = '', level = '', row = '', column = '', j, i] = numbers;
  if (parts.length < 5 || parts.length > 8) throw problem('service-path-unknown', {});
  const asked = parameters.get('format');
  const tile = { layer, style, set, level, row, column };
  return i === undefined || j === undefined
    ? { ...tile, kind: 'GetTile', format: asked ?? 'image/png' }
    : { ...tile, kind: 'GetFeatureInfo', format: 'image/png', infoFormat: asked ?? 'application/json', i, j };
}
