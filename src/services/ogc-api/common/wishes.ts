/** What clients of OGC APIs want to see of a map or a tile: the features of a filter, or of a time. */
import type { LayerWishes } from '../../maps/layer-wishes.ts';
import { noWishes, type TileWishes } from '../../tiles/tile-wishes.ts';
import { invalidParameter, type Parameters } from './parameters.ts';

/** By name, with what they mean. */
export const wishParameters = {
  datetime: 'A moment, or two of them with a slash between; .. where there is no beginning, or no end.',
  filter: 'Only the features that fulfil it are shown.',
  'filter-lang': 'The language of the filter: cql2-text where nothing is said, cql2-json or ecql-text.',
} as const;

const languages = { 'cql2-text': 'cql2-text', 'cql2-json': 'cql2-json', 'ecql-text': 'ecql' } as const;

export function wishesIn(parameters: Parameters): TileWishes {
  const layer = { ...noWishes.layer, selection: selectionIn(parameters), dimensions: dimensionsIn(parameters) };
  const written = parameters.all.filter(([name]) => Object.hasOwn(wishParameters, name));
  return written.length === 0
    ? noWishes
    : { ...noWishes, layer, written: { layer: Object.fromEntries(written), look: {} } };
}

function selectionIn(parameters: Parameters): LayerWishes['selection'] {
  const [text, named = 'cql2-text'] = [parameters.get('filter'), parameters.get('filter-lang')];
  if (!isLanguage(named)) throw invalidParameter('filter-lang', named, `one of ${Object.keys(languages).join(', ')}`);
  return text === undefined ? { kind: 'all' } : { kind: 'cql', text, language: languages[named] };
}

function isLanguage(name: string): name is keyof typeof languages {
  return Object.hasOwn(languages, name);
}

/** Before and after all that anybody has data of. */
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59Z';

function dimensionsIn(parameters: Parameters): LayerWishes['dimensions'] {
  const text = parameters.get('datetime');
  if (text === undefined) return new Map();
  const [from = '', to, ...more] = text.split('/');
  if (more.length > 0) throw invalidParameter('datetime', text, 'a moment, or two of them with a slash between');
  const isOpen = (end: string) => end === '' || end === '..';
  const time = to === undefined ? from : `${isOpen(from) ? FIRST : from}/${isOpen(to) ? LAST : to}`;
  return new Map([['time', time]]);
}
