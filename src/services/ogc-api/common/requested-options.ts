/** The options of maps and tiles in OGC APIs: a filter and a time. */
import type { CatalogReader } from '../../../records/catalog.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import type { LayerOptions } from '../../maps/layer-options.ts';
import { declareParameter, text } from '../../ows/service-parameters.ts';
import { expandViewParameters, viewParameters } from '../../ows/view-parameters.ts';
import { filterTileParameters } from '../../tiles/parameter-filters.ts';
import { defaultTileOptions, type TileOptions } from '../../tiles/tile-options.ts';
import { filterLanguage, filterLanguages } from './filter-language.ts';
import { createParameterProblem, type Parameters, readParameter } from './parameters.ts';

/** By name. */
export const optionParameters = {
  datetime: declareParameter(
    'datetime',
    text,
    'A time, or an interval such as 2024-01-01/2024-12-31. Use .. for an open start or end.',
  ),
  filter: declareParameter('filter', text, 'Draws only the features that match this filter.'),
  viewparams: declareParameter(
    'viewparams',
    viewParameters,
    'The parameter values of an SQL view, such as low:2;high:9.',
  ),
  'filter-lang': filterLanguage,
};

export function readRequestedOptions(parameters: Parameters): TileOptions {
  const layer = {
    ...defaultTileOptions.layer,
    selection: readSelection(parameters),
    dimensions: readDimensions(parameters),
    viewParameters: expandViewParameters(readParameter(parameters, optionParameters.viewparams), 1)[0] ?? new Map(),
  };
  const written = parameters.all.filter(([name]) => Object.hasOwn(optionParameters, name));
  return written.length === 0
    ? defaultTileOptions
    : { ...defaultTileOptions, layer, written: { layer: Object.fromEntries(written), look: {} } };
}

/** The names of WMS that parameter filters of tile settings refer to. */
const filterKeys = { time: 'datetime', cql_filter: 'filter', viewparams: 'viewparams' } as const;

/** Returns the parameters with the values that the parameter filters of a layer choose. */
export async function filterRequestedOptions(
  catalog: CatalogReader,
  map: PublishedMap,
  parameters: Parameters,
): Promise<Parameters> {
  const keys = Object.entries(filterKeys);
  const sent = new Map(
    keys.flatMap(([key, name]) => {
      const value = parameters.get(name);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  const chosen = await filterTileParameters(catalog, map, sent);
  if (chosen === sent) return parameters;
  const others = parameters.all.filter(([name]) => !keys.some(([, own]) => own === name));
  const own = keys.flatMap(([key, name]) => {
    const value = chosen.get(key);
    return value === undefined ? [] : [[name, value] as const];
  });
  const all = [...others, ...own];
  return { get: (name) => new Map(all).get(name), all };
}

function readSelection(parameters: Parameters): LayerOptions['selection'] {
  const language = filterLanguages[readParameter(parameters, optionParameters['filter-lang'])];
  const written = readParameter(parameters, optionParameters.filter);
  return written === undefined ? { kind: 'all' } : { kind: 'cql', text: written, language };
}

/** Earlier and later than any data. */
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59Z';

function readDimensions(parameters: Parameters): LayerOptions['dimensions'] {
  const written = readParameter(parameters, optionParameters.datetime);
  if (written === undefined) return new Map();
  const [from = '', to, ...more] = written.split('/');
  if (more.length > 0)
    throw createParameterProblem('datetime', written, 'a time, or an interval such as 2024-01-01/2024-12-31');
  const isOpenEnd = (end: string) => end === '' || end === '..';
  const time = to === undefined ? from : `${isOpenEnd(from) ? FIRST : from}/${isOpenEnd(to) ? LAST : to}`;
  return new Map([['time', time]]);
}
