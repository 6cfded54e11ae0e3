/** What of a request for a map has no effect on it, so that nothing is ignored without a word. */

import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { Parameters } from '../../ows/parameters.ts';
import type { RequestedMap } from './request.ts';

/** In lower case. Those of every request come first, then those of maps, and then those of the features on them. */
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

/** In lower case; what is behind the colon is looked at by whoever draws. */
const knownOptions: ReadonlySet<string> = new Set(['dpi', 'antialias', 'timeout', 'quantizer']);

/** So many sentences at most. */
const MAX_SENTENCES = 8;

/** A Problem for what would be another map than the one that was meant; sentences for what changes nothing. */
export function listIneffectiveParameters(parameters: Parameters, map: RequestedMap): readonly string[] {
  const remote = [...parameters.keys()].find((name) => name.startsWith('remote_ows_'));
  if (remote !== undefined) {
    throw problem('ows-option-unsupported', {
      what: 'Data of another server in a map',
      instead: 'make a store of that server, and name its layers',
      field: remote,
    });
  }
  const names = [...parameters.keys()].filter((name) => !knownParameters.has(name) && !name.startsWith('dim_'));
  const options = [...map.formatOptions.keys()].filter((name) => !knownOptions.has(name));
  const transparent = parameters.get('transparent');
  const antialias = map.formatOptions.get('antialias')?.toLowerCase() ?? 'on';
  const sentences = [
    ...names.map((name) => `The parameter '${excerpt(name)}' is not known, and has no effect.`),
    ...options.map((name) => `The format option '${excerpt(name)}' has no effect.`),
    ...(['on', 'full'].includes(antialias) ? [] : ['Maps are always drawn smoothly: antialias has no effect.']),
    ...(transparent === undefined || /^\s*(?:true|false)\s*$/i.test(transparent)
      ? []
      : [`The map is not transparent: TRUE or FALSE was expected, and not '${excerpt(transparent)}'.`]),
  ];
  return sentences.slice(0, MAX_SENTENCES);
}
