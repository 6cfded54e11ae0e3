/** The options of maps and tiles in OGC APIs: a filter and a time. */
import { formatChoices } from '../../../lib/text/wording.ts';
import type { LayerOptions } from '../../maps/layer-options.ts';
import { defaultTileOptions, type TileOptions } from '../../tiles/tile-options.ts';
import { createParameterProblem, type Parameters } from './parameters.ts';

/** Descriptions by parameter name. */
export const optionParameters = {
  datetime: 'A time, or an interval such as 2024-01-01/2024-12-31. Use .. for an open start or end.',
  filter: 'Draws only the features that match this filter.',
  'filter-lang': 'The filter language: cql2-text (default), cql2-json or ecql-text.',
} as const;

const languages = { 'cql2-text': 'cql2-text', 'cql2-json': 'cql2-json', 'ecql-text': 'ecql' } as const;

export function readRequestedOptions(parameters: Parameters): TileOptions {
  const layer = {
    ...defaultTileOptions.layer,
    selection: readSelection(parameters),
    dimensions: readDimensions(parameters),
  };
  const written = parameters.all.filter(([name]) => Object.hasOwn(optionParameters, name));
  return written.length === 0
    ? defaultTileOptions
    : { ...defaultTileOptions, layer, written: { layer: Object.fromEntries(written), look: {} } };
}

function readSelection(parameters: Parameters): LayerOptions['selection'] {
  const [text, named = 'cql2-text'] = [parameters.get('filter'), parameters.get('filter-lang')];
  if (!isLanguage(named)) throw createParameterProblem('filter-lang', named, formatChoices(Object.keys(languages)));
  return text === undefined ? { kind: 'all' } : { kind: 'cql', text, language: languages[named] };
}

function isLanguage(name: string): name is keyof typeof languages {
  return Object.hasOwn(languages, name);
}

/** Earlier and later than any data. */
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59Z';

function readDimensions(parameters: Parameters): LayerOptions['dimensions'] {
  const text = parameters.get('datetime');
  if (text === undefined) return new Map();
  const [from = '', to, ...more] = text.split('/');
  if (more.length > 0)
    throw createParameterProblem('datetime', text, 'a time, or an interval such as 2024-01-01/2024-12-31');
  const isOpenEnd = (end: string) => end === '' || end === '..';
  const time = to === undefined ? from : `${isOpenEnd(from) ? FIRST : from}/${isOpenEnd(to) ? LAST : to}`;
  return new Map([['time', time]]);
}
