/** WMTS requests, parsed from key-value pairs or from a path. */
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

/** A request for the features at a pixel of a tile. */
export interface GetFeatureInfo extends Omit<GetTile, 'kind'> {
  readonly kind: 'GetFeatureInfo';
  readonly infoFormat: string;
  readonly i: string;
  readonly j: string;
}

/** The parameter names of the standard. */
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
  const requested = getRequiredField(parameters, 'request', 'Request', `expected one of ${operations.join(', ')}`);
  const operation = operations.find((each) => each.toLowerCase() === requested.trim().toLowerCase());
  switch (operation) {
    case undefined:
      throw problem('ows-operation-unknown', { operation: requested, service: 'WMTS', operations, field: 'Request' });
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
        i: getRequiredField(parameters, 'i', 'I', 'expected the column of a pixel'),
        j: getRequiredField(parameters, 'j', 'J', 'expected the row of a pixel'),
      };
  }
}

function readTile(parameters: Parameters): Omit<GetTile, 'kind'> {
  return {
    layer: getRequiredField(parameters, 'layer', wmtsFields.layer, 'expected the name of a layer'),
    style: parameters.get('style'),
    format: getRequiredField(parameters, 'format', wmtsFields.format, 'expected a media type such as image/png'),
    set: getRequiredField(
      parameters,
      'tilematrixset',
      wmtsFields.set,
      'expected a tile matrix set such as EPSG:900913',
    ),
    level: getRequiredField(parameters, 'tilematrix', wmtsFields.level, 'expected a tile matrix such as EPSG:900913:5'),
    row: getRequiredField(parameters, 'tilerow', wmtsFields.row, 'expected an integer of at least 0'),
    column: getRequiredField(parameters, 'tilecol', wmtsFields.column, 'expected an integer of at least 0'),
  };
}

function getRequiredField(parameters: Parameters, name: string, field: string, expected: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw problem('ows-parameter-missing', { parameter: field, expected, field });
  return value;
}

/**
 * Parses the path of the capabilities, a tile or feature information: `layer/style/grid/level/row/column/j/i`, where
 * the style is optional. The format is a query parameter.
 */
export function parseWmtsPath(path: string, parameters: Parameters): WmtsRequest {
  if (path === 'WMTSCapabilities.xml') return { kind: 'GetCapabilities' };
  const parts = path.split('/');
  const hasStyle = parts.length === 6 || parts.length === 8;
  const [layer = '', ...rest] = parts;
  const [style, ...numbers] = hasStyle ? rest : [undefined, ...rest];
  const [set = '', level = '', row = '', column = '', j, i] = numbers;
  if (parts.length < 5 || parts.length > 8) throw problem('service-path-unknown', {});
  const requestedFormat = parameters.get('format');
  const tile = { layer, style, set, level, row, column };
  return i === undefined || j === undefined
    ? { ...tile, kind: 'GetTile', format: requestedFormat ?? 'image/png' }
    : { ...tile, kind: 'GetFeatureInfo', format: 'image/png', infoFormat: requestedFormat ?? 'application/json', i, j };
}
