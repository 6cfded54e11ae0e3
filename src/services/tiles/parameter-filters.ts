/** Applies the parameter filters of a layer: only values that they allow are drawn and cached. */
import { createLazyLinearRegex } from '../../lib/linear-regex/linear-regex.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { type Normalization, type ParameterFilter, STYLES } from '../../tiles/settings/tile-settings.ts';
import type { PublishedMap } from '../access/published-map.ts';
import type { Parameters } from '../ows/parameters.ts';
import { getMapId } from './possible-formats.ts';
import { loadTileSettings } from './tile-offer.ts';

/** Returns the parameters with the values that the filters choose. Throws a Problem for a value that they reject. */
export async function filterTileParameters(
  catalog: CatalogReader,
  map: PublishedMap,
  parameters: Parameters,
): Promise<Parameters> {
  const { parameterFilters } = await loadTileSettings(catalog, getMapId(map));
  return parameterFilters === undefined ? parameters : applyParameterFilters(parameterFilters, parameters);
}

/** Parameters without a filter are unchanged. Filters of styles are applied where the style is selected. */
export function applyParameterFilters(filters: readonly ParameterFilter[], parameters: Parameters): Parameters {
  const own = filters.filter(({ key }) => key.toUpperCase() !== STYLES);
  if (own.length === 0) return parameters;
  const chosen = new Map(parameters);
  for (const filter of own) {
    const name = filter.key.toLowerCase();
    const sent = parameters.get(name);
    const value = sent === undefined ? filter.defaultValue : chooseValue(filter, sent);
    if (value === undefined) throw createRejection(filter, sent ?? '', name);
    if (value === '') chosen.delete(name);
    else chosen.set(name, value);
  }
  return chosen;
}

/** Returns the style to draw; an empty text for the default style of the layer. */
export function applyStyleFilters(filters: readonly ParameterFilter[], sent: string, field: string): string {
  const filter = filters.find(({ key }) => key.toUpperCase() === STYLES);
  if (filter === undefined) return sent;
  if (sent === '') return filter.defaultValue;
  const value = chooseValue(filter, sent);
  if (value === undefined) throw createRejection(filter, sent, field);
  return value;
}

/** Returns the value to draw; undefined if the filter rejects it. */
export function chooseValue(filter: ParameterFilter, sent: string): string | undefined {
  switch (filter.kind) {
    case 'style': {
      const { allowedStyles, defaultValue } = filter;
      const names = [sent, sent.slice(sent.indexOf(':') + 1)];
      const isAllowed =
        allowedStyles === undefined || sent === defaultValue || allowedStyles.some((each) => names.includes(each));
      return isAllowed ? sent : undefined;
    }
    case 'string': {
      const value = convertCase(sent, filter.normalize);
      return filter.values.find((each) => convertCase(each, filter.normalize) === value);
    }
    case 'regex': {
      const value = convertCase(sent, filter.normalize);
      return getRegex(filter).matches(value) ? value : undefined;
    }
    default:
      return chooseNumber(filter, sent);
  }
}

/** Returns the nearest value within the threshold. */
function chooseNumber(
  { values, threshold }: Extract<ParameterFilter, { readonly threshold: number }>,
  sent: string,
): string | undefined {
  const number = sent.trim() === '' ? Number.NaN : Number(sent);
  let best: number | undefined;
  for (const value of values) {
    if (best === undefined || Math.abs(value - number) < Math.abs(best - number)) best = value;
  }
  // Binary numbers such as 2.6 - 2.5 exceed the difference that was written.
  const isNear = best !== undefined && Math.abs(best - number) <= threshold * (1 + Number.EPSILON * 1_000);
  return isNear ? String(best) : undefined;
}

function convertCase(text: string, normalize: Normalization | undefined): string {
  if (normalize === undefined || normalize.case === 'NONE') return text;
  const locale = normalize.locale === '' ? undefined : normalize.locale.replace('_', '-');
  return normalize.case === 'LOWER' ? text.toLocaleLowerCase(locale) : text.toLocaleUpperCase(locale);
}

type RegexFilter = Extract<ParameterFilter, { readonly kind: 'regex' }>;

/** By filter, which is the same object as long as the storage caches its record. */
const regexes = new WeakMap<RegexFilter, ReturnType<typeof createLazyLinearRegex>>();

function getRegex(filter: RegexFilter) {
  const known =
    regexes.get(filter) ??
    createLazyLinearRegex(filter.regex, { what: `The filter of the parameter '${filter.key}'`, field: filter.key });
  regexes.set(filter, known);
  return known;
}

function createRejection(filter: ParameterFilter, sent: string, field: string) {
  return problem('tile-parameter-rejected', {
    parameter: filter.key,
    value: excerpt(sent),
    expected: describeAllowed(filter),
    field,
  });
}

/** The number of values that an error lists. */
const MAX_LISTED = 10;

function describeAllowed(filter: ParameterFilter): string {
  switch (filter.kind) {
    case 'style':
      return `expected ${listValues(filter.allowedStyles ?? [])}`;
    case 'string':
      return `expected ${listValues(filter.values)}`;
    case 'regex':
      return `expected a value that matches ${excerpt(filter.regex)}`;
    default:
      return `expected ${listValues(filter.values.map(String))}, with a difference of at most ${filter.threshold}`;
  }
}

function listValues(values: readonly string[]): string {
  if (values.length === 0) return 'no value';
  const more = values.length > MAX_LISTED ? ' and others' : '';
  return `one of ${values.slice(0, MAX_LISTED).map(excerpt).join(', ')}${more}`;
}
