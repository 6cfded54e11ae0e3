/** Parses WMTS requests from key-value pairs or from a path. */
import { problem } from '../../lib/problems/problem.ts';
import type { Parameters } from '../ows/parameters.ts';
import { readParameter, requireParameter } from '../ows/service-parameters.ts';
import { negotiateVersion } from '../ows/versions.ts';
import { tileInfoParameters, tileParameters, wmtsCapabilitiesParameters, wmtsPathOperation } from './parameters.ts';
import { type GetTile, operationNames, type WmtsRequest } from './request.ts';

const VERSIONS = ['1.0.0'] as const;

export function readWmtsRequest(parameters: Parameters): WmtsRequest {
  const requested = requireParameter(parameters, tileParameters.request);
  const operation = operationNames.find((each) => each.toLowerCase() === requested.trim().toLowerCase());
  const service = readParameter(parameters, tileParameters.service);
  // QGIS appends SERVICE=WMS to the address of a WMTS that does not contain SERVICE=WMTS.
  const accepted = operation === 'GetCapabilities' ? ['WMTS', 'WMS'] : ['WMTS'];
  if (service !== undefined && !accepted.includes(service.trim().toUpperCase())) {
    throw problem('ows-service-unknown', { service, services: ['WMTS'], field: 'service' });
  }
  switch (operation) {
    case undefined:
      throw problem('ows-operation-unknown', {
        operation: requested,
        service: 'WMTS',
        operations: operationNames,
        field: tileParameters.request.name,
      });
    case 'GetCapabilities': {
      const { acceptVersions, updateSequence } = wmtsCapabilitiesParameters;
      negotiateVersion(VERSIONS, { acceptVersions: readParameter(parameters, acceptVersions) });
      return { kind: operation, updateSequence: readParameter(parameters, updateSequence) };
    }
    case 'GetTile':
      return { ...readTile(parameters), kind: operation };
    case 'GetFeatureInfo':
      return {
        ...readTile(parameters),
        kind: operation,
        infoFormat: readParameter(parameters, tileInfoParameters.infoFormat) ?? 'application/json',
        i: requireParameter(parameters, tileInfoParameters.i),
        j: requireParameter(parameters, tileInfoParameters.j),
      };
  }
}

function readTile(parameters: Parameters): Omit<GetTile, 'kind'> {
  return {
    layer: requireParameter(parameters, tileParameters.layer),
    style: readParameter(parameters, tileParameters.style),
    format: requireParameter(parameters, tileParameters.format),
    set: requireParameter(parameters, tileParameters.set),
    level: requireParameter(parameters, tileParameters.level),
    row: requireParameter(parameters, tileParameters.row),
    column: requireParameter(parameters, tileParameters.column),
  };
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
  const requested = readParameter(parameters, wmtsPathOperation.parameters.format);
  const tile = { layer, style, set, level, row, column };
  return i === undefined || j === undefined
    ? { ...tile, kind: 'GetTile', format: requested ?? 'image/png' }
    : { ...tile, kind: 'GetFeatureInfo', format: 'image/png', infoFormat: requested ?? 'application/json', i, j };
}
