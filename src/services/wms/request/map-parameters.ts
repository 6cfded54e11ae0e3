/** Finds map parameters without an effect, so that none is ignored without a warning. */

import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { Parameters } from '../../ows/parameters.ts';
import type { RequestedMap } from './request.ts';

/** In lower case: parameters of every request, then of maps, then of features on them. */
const knownParameters: ReadonlySet<string> = new Set([
  ...['service', 'version', 'wmtver', 'request', 'exceptions', 'language', 'authkey'],
  ...[
    'layers',
    'layer',
    'styles',
    'style',
    'srs',
    'crs',
    'bbox',
    'width',
    'height',
    'format',
    'transparent',
    'bgcolor',
  ],
  ...[
    'sld',
    'sld_body',
    'time',
    'elevation',
    'cql_filter',
    'filter',
    'featureid',
    'resourceid',
    'tiled',
    'tilesorigin',
  ],
  ...[
    'buffer',
    'format_options',
    'env',
    'viewparams',
    'angle',
    'palette',
    'interpolations',
    'startindex',
    'maxfeatures',
  ],
  ...['sortby', 'clip', 'scalemethod', 'dpi', 'map_resolution'],
  ...['query_layers', 'info_format', 'feature_count', 'x', 'y', 'i', 'j', 'propertyname'],
]);

/** In lower case; the renderer reads their values. */
const knownOptions: ReadonlySet<string> = new Set(['dpi', 'antialias', 'timeout', 'quantizer']);

/** The maximum number of warnings. */
const MAX_SENTENCES = 8;

/** Throws a Problem for parameters that would change the map, and returns warnings for those without an effect. */
export function listIneffectiveParameters(parameters: Parameters, map: RequestedMap): readonly string[] {
  const remote = [...parameters.keys()].find((name) => name.startsWith('remote_ows_'));
  if (remote !== undefined) {
    throw problem('ows-option-unsupported', {
      what: 'Drawing data of another server',
      instead: 'create a store for that server and use its layers',
      field: remote,
    });
  }
  const names = [...parameters.keys()].filter((name) => !knownParameters.has(name) && !name.startsWith('dim_'));
  const options = [...map.formatOptions.keys()].filter((name) => !knownOptions.has(name));
  const transparent = parameters.get('transparent');
  const antialias = map.formatOptions.get('antialias')?.toLowerCase() ?? 'on';
  const sentences = [
    ...names.map((name) => `Unknown parameter '${excerpt(name)}'. It is ignored.`),
    ...options.map((name) => `Unknown format option '${excerpt(name)}'. It is ignored.`),
    ...(['on', 'full'].includes(antialias)
      ? []
      : ["The format option 'antialias' is ignored. Maps are always antialiased."]),
    ...(transparent === undefined || /^\s*(?:true|false)\s*$/i.test(transparent)
      ? []
      : [
          `Invalid value '${excerpt(transparent)}' of the parameter 'transparent': expected TRUE or FALSE. The map is not transparent.`,
        ]),
  ];
  return sentences.slice(0, MAX_SENTENCES);
}
