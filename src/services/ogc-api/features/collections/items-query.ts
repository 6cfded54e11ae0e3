/** Parses the parameters of `/items` into a feature query. */
import type { NamedCrs } from '../../../../crs/axis-order.ts';
import type { Bounds } from '../../../../crs/bounds.ts';
import type { Filter } from '../../../../filter/model/filter.ts';
import { joinResolvedFilters } from '../../../../filter/model/join-resolved-filters.ts';
import type { ResolvedFilter } from '../../../../filter/model/resolved-filter.ts';
import { resolveFilter } from '../../../../filter/resolve/resolve.ts';
import { createReprojection } from '../../../../geometry/reprojection.ts';
import { createDescribedSchema, createFilterSchema } from '../../../../vector/port/filter-schema.ts';
import type { FeatureTypeDescription, SortKey } from '../../../../vector/port/port.ts';
import { createAreaFilter, createBoxFilter } from '../../../../vector/query/box-filter.ts';
import type { FeatureQuery } from '../../../../vector/query/feature-query.ts';
import type { OpenedType } from '../../../access/open-type.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import { readAttributeNames } from '../../common/attribute-names.ts';
import { filterLanguages } from '../../common/filter-language.ts';
import { createParameterProblem, type Parameters, readParameter } from '../../common/parameters.ts';
import { itemsNames, itemsParameters } from './items-parameters.ts';
import { CRS84, getNamedSystem } from './systems.ts';
import { createTimeFilter, findTimeAttributes } from './time.ts';

export interface ItemsQuery extends FeatureQuery {
  readonly limit: number;
  /** The CRS of the response; undefined if the CRS of the data is unknown. */
  readonly system: NamedCrs | undefined;
}

/** The number of features without a `limit`, and the maximum. */
export interface PageLimits {
  readonly byDefault: number;
  readonly most: number;
}

/** Returns the attributes that can be query parameters. */
export function listQueryableNames({ attributes }: PublishedType): readonly string[] {
  return attributes.filter(({ kind, type }) => kind === 'value' && type !== 'bytes').map(({ name }) => name);
}

export async function readItemsQuery(
  parameters: Parameters,
  opened: Pick<OpenedType, 'published' | 'description' | 'filterRunner' | 'signal'>,
  systems: readonly string[],
  limits: PageLimits,
): Promise<ItemsQuery> {
  const { published } = opened;
  const conditions = await readConditions(parameters, published, opened, systems);
  const filter = conditions.length === 0 ? undefined : joinResolvedFilters('and', conditions);
  return {
    ...readPageOptions(parameters, limits),
    ...(await readItemShape(parameters, published, systems)),
    ...(filter === undefined || (filter.kind === 'constant' && filter.value) ? {} : { filter }),
    ...readSort(parameters, published),
  };
}

/** Parses the attributes and the CRS of the output. */
export async function readItemShape(
  parameters: Parameters,
  { attributes, keptCrs }: PublishedType,
  systems: readonly string[],
): Promise<Pick<ItemsQuery, 'system' | 'crs' | 'attributes'>> {
  const isKnown = Object.keys(keptCrs).length > 0;
  const system = await getNamedSystem('crs', readParameter(parameters, itemsParameters.crs) ?? CRS84, systems);
  const named = readParameter(parameters, itemsParameters.properties);
  const wanted = named === undefined ? undefined : new Set(readAttributeNames('properties', named, attributes));
  const isWithout = readParameter(parameters, itemsParameters.skipGeometry);
  const shown = attributes.filter(({ kind, name }) => (kind === 'geometry' ? !isWithout : (wanted?.has(name) ?? true)));
  return {
    system: isKnown ? system : undefined,
    ...(isKnown ? { crs: { code: system.code } } : {}),
    ...(shown.length === attributes.length ? {} : { attributes: shown.map(({ name }) => name) }),
  };
}

function readPageOptions(
  parameters: Parameters,
  limits: PageLimits,
): Pick<ItemsQuery, 'limit' | 'offset' | 'after' | 'before'> {
  const limit = readParameter(parameters, itemsParameters.limit) ?? limits.byDefault;
  const startIndex = readParameter(parameters, itemsParameters.startIndex);
  const offset = readParameter(parameters, itemsParameters.offset) ?? startIndex;
  const [after, before] = [
    readParameter(parameters, itemsParameters.after),
    readParameter(parameters, itemsParameters.before),
  ];
  const places = [after, before, offset].filter((each) => each !== undefined);
  if (places.length > 1 || (startIndex !== undefined && startIndex !== offset)) {
    throw createParameterProblem(
      'offset',
      String(offset ?? before),
      'only one of offset, startIndex, after and before',
    );
  }
  return {
    // A larger limit is reduced, not rejected; the rest follows on further pages.
    limit: Math.min(limit, limits.most),
    ...(offset === undefined ? {} : { offset }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
}

function readSort(parameters: Parameters, published: PublishedType): { readonly sort?: readonly SortKey[] } {
  const text = readParameter(parameters, itemsParameters.sortby);
  if (text === undefined) {
    return {};
  }
  const names = listQueryableNames(published);
  const sort = text.split(',').map((part): SortKey => {
    // An unescaped plus sign is decoded as a space.
    const [, sign, attribute = ''] = /^\s*([+-]?)(.*?)\s*$/.exec(part) ?? [];
    if (!names.includes(attribute)) {
      throw createParameterProblem(
        'sortby',
        attribute,
        `names from ${names.join(', ')}, each optionally preceded by + or -`,
      );
    }
    return { attribute, isDescending: sign === '-' };
  });
  return { sort };
}

async function readConditions(
  parameters: Parameters,
  published: PublishedType,
  { description, filterRunner, signal }: Pick<OpenedType, 'description' | 'filterRunner' | 'signal'>,
  systems: readonly string[],
): Promise<readonly ResolvedFilter[]> {
  const conditions: ResolvedFilter[] = [];
  const bbox = readParameter(parameters, itemsParameters.bbox);
  const boxSystem = await getNamedSystem(
    'bbox-crs',
    readParameter(parameters, itemsParameters['bbox-crs']) ?? CRS84,
    systems,
  );
  if (bbox !== undefined) {
    conditions.push(await resolveBoxFilter(bbox, boxSystem, published, description));
  }
  const written = readParameter(parameters, itemsParameters.filter);
  const { language, srsName } = await readFilterOptions(parameters, systems);
  if (written !== undefined) {
    const target = { schema: createDescribedSchema(description), unnamed: { srsName } };
    conditions.push(await filterRunner.read({ language, text: written }, target, signal));
  }
  const datetime = readParameter(parameters, itemsParameters.datetime);
  const inTime = datetime === undefined ? undefined : createTimeFilter(datetime, findTimeAttributes(published));
  if (inTime !== undefined) {
    conditions.push(await resolveParameterFilter('datetime', datetime ?? '', inTime, description));
  }
  for (const name of listQueryableNames(published)) {
    const value = itemsNames.has(name) ? undefined : parameters.get(name);
    if (value !== undefined) {
      const left = { kind: 'property', name } as const;
      const equal: Filter = { kind: 'comparison', operator: 'equal', left, right: { kind: 'literal', value } };
      conditions.push(await resolveParameterFilter(name, value, equal, description));
    }
  }
  return conditions;
}

/** Parses the filter options even without a filter, because invalid parameters are always rejected. */
async function readFilterOptions(parameters: Parameters, systems: readonly string[]) {
  const language = filterLanguages[readParameter(parameters, itemsParameters['filter-lang'])];
  const srsName = readParameter(parameters, itemsParameters['filter-crs']) ?? CRS84;
  await getNamedSystem('filter-crs', srsName, systems);
  return { language, srsName };
}

async function resolveParameterFilter(
  parameter: string,
  value: string,
  filter: Filter,
  description: FeatureTypeDescription,
): Promise<ResolvedFilter> {
  const outcome = await resolveFilter(filter, createFilterSchema(description.attributes));
  if (outcome.kind === 'refused') {
    throw createParameterProblem(parameter, value, `a valid filter (${outcome.complaint.message})`);
  }
  return outcome.filter;
}

const NOTHING: ResolvedFilter = { kind: 'constant', value: false };

/** Reprojects boxes to the CRS of the data; a box across the antimeridian becomes two. */
async function resolveBoxFilter(
  text: string,
  system: NamedCrs,
  { keptCrs, geometry }: PublishedType,
  { defaultGeometry }: FeatureTypeDescription,
): Promise<ResolvedFilter> {
  const { box, heights } = readBox(text, system);
  if (defaultGeometry === undefined) {
    return NOTHING;
  }
  const parts =
    box.minX <= box.maxX
      ? [box]
      : [
          { ...box, maxX: 180 },
          { ...box, minX: -180 },
        ];
  const isKnown = Object.keys(keptCrs).length > 0;
  const reprojection = isKnown ? await createReprojection({ code: system.code }, keptCrs) : undefined;
  const filters = parts.flatMap((part) =>
    reprojection === undefined
      ? [createBoxFilter(defaultGeometry, part)]
      : reprojection.reprojectArea(part).map((area) => createAreaFilter(defaultGeometry, area)),
  );
  const inPlane = filters.length === 0 ? NOTHING : joinResolvedFilters('or', filters);
  // Geometries without heights match every height.
  if (heights === undefined || geometry?.dimension.includes('Z') !== true) {
    return inPlane;
  }
  const attribute = { kind: 'attribute', type: 'geometry', name: defaultGeometry } as const;
  return joinResolvedFilters('and', [inPlane, { kind: 'heights', geometry: attribute, ...heights }]);
}

interface ParsedBox {
  readonly box: Bounds;
  readonly heights?: { readonly lowest: number; readonly highest: number };
}

function readBox(text: string, system: NamedCrs): ParsedBox {
  const numbers = text.split(',').map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  const expected = 'four numbers, or six with heights: the lower corner, then the upper corner';
  if (![4, 6].includes(numbers.length) || !numbers.every(Number.isFinite)) {
    throw createParameterProblem('bbox', text, expected);
  }
  const half = numbers.length / 2;
  const [a = 0, b = 0] = numbers;
  const [c = 0, d = 0] = numbers.slice(half);
  const box = system.isNorthFirst ? { minX: b, minY: a, maxX: d, maxY: c } : { minX: a, minY: b, maxX: c, maxY: d };
  const mayCross = system.code === 'EPSG:4326' || system.code === 'EPSG:4258';
  if (box.minY > box.maxY || (box.minX > box.maxX && !mayCross)) {
    throw createParameterProblem('bbox', text, expected);
  }
  if (numbers.length === 4) {
    return { box };
  }
  const [, , lowest = 0, , , highest = 0] = numbers;
  if (lowest > highest) {
    throw createParameterProblem(
      'bbox',
      text,
      `${expected}; the third number is the minimum height, the sixth the maximum`,
    );
  }
  return { box, heights: { lowest, highest } };
}
