/** Validates tile settings; names of grid sets are checked by the catalog. */
import { compileLinearRegex } from '../../lib/linear-regex/linear-regex.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import {
  type ExpirationRule,
  type GridSubset,
  letterCases,
  type ParameterFilter,
  STYLES,
  type TileSettings,
} from './tile-settings.ts';

/** A field of the document, and why its value is invalid. */
export interface SettingFault {
  readonly field: string;
  readonly message: string;
}

/** More tiles than that exceed the memory for one map at any usual tile size. */
export const MAX_META_TILES = 20;

/** Symbols that are wider are cut at the edges of blocks. */
export const MAX_GUTTER_PIXELS = 100;

/** Offering a grid set is expensive for every layer: capabilities list its tiles. */
const MAX_SUBSETS = 50;

/** More formats than this server writes; names of other servers are kept. */
const MAX_FORMATS = 50;

/** Each filter is checked for every tile. */
const MAX_FILTERS = 20;

/** Bounds the cost of a comparison with all allowed values. */
const MAX_FILTER_VALUES = 1_000;

/** Names of parameters and their values are short. */
const MAX_VALUE_LENGTH = 1_000;

/** More rules than any grid set has levels. */
const MAX_RULES = 100;

/** Levels have fewer digits; larger numbers mean all levels. */
const MAX_LEVEL = 1_000;

/** In seconds: 68 years, the integer range of clients. */
const MAX_SECONDS = 2_147_483_647;

export function findSettingFaults(settings: TileSettings): readonly SettingFault[] {
  return [
    ...findListFaults('mimeFormats', settings.mimeFormats, MAX_FORMATS),
    ...findListFaults('gridSubsets', settings.gridSubsets, MAX_SUBSETS),
    ...findSubsetFaults(settings.gridSubsets ?? []),
    ...findMetaFaults(settings),
    ...findExpiryFaults('expireCache', settings.expireCache, settings.expireCacheList),
    ...findExpiryFaults('expireClients', settings.expireClients, settings.expireClientsList),
    ...findListFaults('parameterFilters', settings.parameterFilters, MAX_FILTERS),
    ...findKeyFaults(settings.parameterFilters ?? []),
    ...(settings.parameterFilters ?? []).flatMap(findFilterFaults),
  ];
}

function findListFaults(field: string, list: readonly unknown[] | undefined, most: number): readonly SettingFault[] {
  if (list === undefined || list.length <= most) return [];
  return [{ field, message: `expected at most ${most} items, found ${list.length}` }];
}

function isInRange(value: number | undefined, least: number, most: number): boolean {
  return value === undefined || (Number.isInteger(value) && value >= least && value <= most);
}

function findMetaFaults({ metaWidthHeight, gutter }: TileSettings): readonly SettingFault[] {
  const areMetaTiles =
    metaWidthHeight === undefined || metaWidthHeight.every((each) => isInRange(each, 1, MAX_META_TILES));
  const faults: SettingFault[] = [];
  if (!areMetaTiles) {
    faults.push({ field: 'metaWidthHeight', message: `expected two integers from 1 to ${MAX_META_TILES}` });
  }
  if (!isInRange(gutter, 0, MAX_GUTTER_PIXELS)) {
    faults.push({ field: 'gutter', message: `expected an integer from 0 to ${MAX_GUTTER_PIXELS}` });
  }
  return faults;
}

function isLifetime(seconds: number): boolean {
  return isInRange(seconds, 0, MAX_SECONDS) || [-1, -2, -4].includes(seconds);
}

const LIFETIMES = 'expected seconds, 0 for the default, -1 for no caching, -2 for no expiry or -4 for that of the data';

function findExpiryFaults(
  field: 'expireCache' | 'expireClients',
  general: number | undefined,
  rules: readonly ExpirationRule[] | undefined,
): readonly SettingFault[] {
  const faults: SettingFault[] = [];
  if (general !== undefined && !isLifetime(general)) faults.push({ field, message: LIFETIMES });
  const list = `${field}List`;
  faults.push(...findListFaults(list, rules, MAX_RULES));
  for (const { minZoom, expiration } of rules ?? []) {
    if (isInRange(minZoom, 0, MAX_LEVEL) && isLifetime(expiration)) continue;
    faults.push({ field: list, message: `expected a minZoom from 0 to ${MAX_LEVEL}, and an expiration: ${LIFETIMES}` });
    break;
  }
  return faults;
}

function findSubsetFaults(subsets: readonly GridSubset[]): readonly SettingFault[] {
  const names = new Set<string>();
  return subsets.flatMap((subset, index) => {
    const field = `gridSubsets[${index}]`;
    const message = findSubsetFault(subset) ?? (names.has(subset.gridSetName) ? 'repeats a grid set' : undefined);
    names.add(subset.gridSetName);
    return message === undefined ? [] : [{ field, message }];
  });
}

function findSubsetFault(subset: GridSubset): string | undefined {
  const { extent, zoomStart = 0, zoomStop = MAX_LEVEL, minCachedLevel = 0, maxCachedLevel = MAX_LEVEL } = subset;
  const levels = [zoomStart, zoomStop, minCachedLevel, maxCachedLevel];
  if (!levels.every((each) => isInRange(each, 0, MAX_LEVEL))) return `expected levels from 0 to ${MAX_LEVEL}`;
  if (zoomStart > zoomStop) return 'zoomStart is greater than zoomStop';
  if (minCachedLevel > maxCachedLevel) return 'minCachedLevel is greater than maxCachedLevel';
  if (extent !== undefined && !(extent.minX < extent.maxX && extent.minY < extent.maxY)) {
    return 'the extent is empty: expected minimum x, minimum y, maximum x, maximum y';
  }
  return undefined;
}

function findKeyFaults(filters: readonly ParameterFilter[]): readonly SettingFault[] {
  const keys = new Set<string>();
  for (const { key } of filters) {
    const same = key.toUpperCase();
    if (keys.has(same)) {
      return [{ field: 'parameterFilters', message: `several filters have the key '${excerpt(key)}'` }];
    }
    keys.add(same);
  }
  return [];
}

function findFilterFaults(filter: ParameterFilter): readonly SettingFault[] {
  const field = `parameterFilters.${filter.kind}ParameterFilter`;
  const message = findFilterFault(filter, field);
  return message === undefined ? [] : [{ field, message }];
}

function findFilterFault(filter: ParameterFilter, field: string): string | undefined {
  const { key, defaultValue } = filter;
  if (!/^[A-Za-z_][\w.:-]{0,99}$/.test(key)) return `invalid key '${excerpt(key)}': expected the name of a parameter`;
  if (defaultValue.length > MAX_VALUE_LENGTH) return `the default value exceeds ${MAX_VALUE_LENGTH} characters`;
  switch (filter.kind) {
    case 'style':
      return key.toUpperCase() === STYLES
        ? findValuesFault(filter.allowedStyles ?? [])
        : `expected the key ${STYLES}, found '${excerpt(key)}'`;
    case 'string':
      return findCaseFault(filter) ?? findValuesFault(filter.values);
    case 'regex':
      return findCaseFault(filter) ?? findRegexFault(filter.regex, field);
    default:
      return findNumbersFault(filter);
  }
}

function findValuesFault(values: readonly string[]): string | undefined {
  if (values.length > MAX_FILTER_VALUES) return `expected at most ${MAX_FILTER_VALUES} values, found ${values.length}`;
  const isLong = values.some((each) => each.length > MAX_VALUE_LENGTH);
  return isLong ? `a value exceeds ${MAX_VALUE_LENGTH} characters` : undefined;
}

function findCaseFault({
  normalize,
}: Extract<ParameterFilter, { readonly kind: 'string' | 'regex' }>): string | undefined {
  if (normalize === undefined) return undefined;
  if (!letterCases.includes(normalize.case)) return `expected the case ${letterCases.join(', ')}`;
  const isLocale = /^(?:[A-Za-z]{2,3}(?:[_-][A-Za-z]{2,4})?)?$/.test(normalize.locale);
  return isLocale
    ? undefined
    : `unknown locale '${excerpt(normalize.locale)}': expected a language such as de or tr_TR`;
}

function findRegexFault(regex: string, field: string): string | undefined {
  try {
    compileLinearRegex(regex, { what: 'The regex of the filter', field });
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

function findNumbersFault({
  kind,
  values,
  threshold,
}: Extract<ParameterFilter, { readonly threshold: number }>): string | undefined {
  if (values.length > MAX_FILTER_VALUES) return `expected at most ${MAX_FILTER_VALUES} values, found ${values.length}`;
  const isNumber = (each: number) => (kind === 'integer' ? Number.isSafeInteger(each) : Number.isFinite(each));
  if (!values.every(isNumber)) return `expected a list of ${kind === 'integer' ? 'integers' : 'numbers'}`;
  return Number.isFinite(threshold) && threshold >= 0 ? undefined : 'expected a threshold of at least 0';
}
