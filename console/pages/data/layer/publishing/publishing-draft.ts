/** The publishing options of a layer as flat values of a form, and the document that changes them. */
import type { BoundingBox, DimensionInfo, MetadataEntry, ResourceDocument } from '../../../../rest/types.ts';

/** What the form needs beyond the document of all pages. */
export interface PublishDocument extends ResourceDocument {
  readonly advertised?: boolean;
  readonly projectionPolicy?: string;
  readonly nativeCRS?: string | { readonly $: string };
  readonly nativeBoundingBox?: BoundingBox & { readonly crs?: string | { readonly $: string } };
  readonly serviceConfiguration?: boolean;
  readonly disabledServices?: { readonly string: string | readonly string[] };
  readonly cqlFilter?: string;
  readonly maxFeatures?: number;
  readonly attributes?: { readonly attribute: PublishedAttribute | readonly PublishedAttribute[] };
}

export interface PublishedAttribute {
  readonly name: string;
  readonly binding?: string;
  readonly [member: string]: unknown;
}

export const dimensionNames = ['time', 'elevation'] as const;
export type DimensionName = (typeof dimensionNames)[number];

/** Flags are `true` or `false`, lists have one value in each line. */
export type PublishValues = Readonly<Record<string, string>>;

export const boxSides = ['minx', 'miny', 'maxx', 'maxy'] as const;

export function listAttributes(document: PublishDocument): readonly PublishedAttribute[] {
  return [document.attributes?.attribute ?? []].flat();
}

export function readValues(document: PublishDocument): PublishValues {
  const lines = (list: { readonly string: string | readonly string[] } | undefined) =>
    [list?.string ?? []].flat().join('\n');
  return {
    title: document.title ?? '',
    abstract: document.abstract ?? '',
    keywords: lines(document.keywords),
    enabled: String(document.enabled ?? true),
    advertised: String(document.advertised ?? true),
    srs: document.srs ?? '',
    projectionPolicy: document.projectionPolicy ?? '',
    ...readBox('nativeBoundingBox', document.nativeBoundingBox),
    ...readBox('latLonBoundingBox', document.latLonBoundingBox),
    disabledServices: document.serviceConfiguration === true ? lines(document.disabledServices) : '',
    cqlFilter: document.cqlFilter ?? '',
    maxFeatures: String(document.maxFeatures ?? 0),
    attributes: listAttributes(document)
      .map(({ name }) => name)
      .join('\n'),
    ...Object.fromEntries(dimensionNames.flatMap((name) => readDimension(document, name))),
  };
}

function readBox(field: string, box: BoundingBox | undefined): PublishValues {
  return Object.fromEntries(boxSides.map((side) => [`${field}.${side}`, box === undefined ? '' : String(box[side])]));
}

function findDimension(document: PublishDocument, name: string): DimensionInfo {
  return listEntries(document).find((entry) => entry['@key'] === name)?.dimensionInfo ?? {};
}

function listEntries(document: PublishDocument): readonly MetadataEntry[] {
  return [document.metadata?.entry ?? []].flat();
}

function readDimension(document: PublishDocument, name: DimensionName): readonly (readonly [string, string])[] {
  const info = findDimension(document, name);
  return [
    [`${name}.enabled`, String(info.enabled ?? false)],
    [`${name}.attribute`, info.attribute ?? ''],
    [`${name}.endAttribute`, info.endAttribute ?? ''],
    [`${name}.presentation`, info.presentation ?? 'LIST'],
    [`${name}.resolution`, info.resolution === undefined ? '' : String(info.resolution)],
    [`${name}.strategy`, info.defaultValue?.strategy ?? 'BUILTIN'],
    [`${name}.reference`, info.defaultValue?.referenceValue ?? ''],
    [`${name}.nearest`, String(info.nearestMatchEnabled ?? false)],
  ];
}

/** The names of fields whose values differ. */
export function listChanged(before: PublishValues, after: PublishValues): readonly string[] {
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

const splitLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Only changed fields are sent; the server keeps all others. */
export function createChanges(document: PublishDocument, values: PublishValues): Readonly<Record<string, unknown>> {
  const changed = new Set(listChanged(readValues(document), values).map((name) => name.split('.')[0] ?? ''));
  const text = (name: string) => (values[name] === '' ? null : values[name]);
  const writers: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
    title: () => ({ title: text('title') }),
    abstract: () => ({ abstract: text('abstract') }),
    keywords: () => ({ keywords: { string: splitLines(values['keywords'] ?? '') } }),
    enabled: () => ({ enabled: values['enabled'] === 'true' }),
    advertised: () => ({ advertised: values['advertised'] === 'true' }),
    srs: () => ({ srs: text('srs') }),
    projectionPolicy: () => ({ projectionPolicy: values['projectionPolicy'] }),
    nativeBoundingBox: () => ({
      nativeBoundingBox: writeBox(values, 'nativeBoundingBox', document.nativeBoundingBox?.crs),
    }),
    latLonBoundingBox: () => ({ latLonBoundingBox: writeBox(values, 'latLonBoundingBox', 'EPSG:4326') }),
    disabledServices: () => {
      const disabled = splitLines(values['disabledServices'] ?? '');
      return { serviceConfiguration: disabled.length > 0, disabledServices: { string: disabled } };
    },
    cqlFilter: () => ({ cqlFilter: text('cqlFilter') }),
    maxFeatures: () => ({ maxFeatures: Number(values['maxFeatures'] ?? 0) }),
    attributes: () => {
      const kept = new Set(splitLines(values['attributes'] ?? ''));
      return { attributes: { attribute: listAttributes(document).filter(({ name }) => kept.has(name)) } };
    },
  };
  const dimensions = dimensionNames.filter((name) => changed.has(name));
  return Object.assign(
    {},
    ...Object.entries(writers).flatMap(([name, write]) => (changed.has(name) ? [write()] : [])),
    dimensions.length === 0 ? {} : writeMetadata(document, values, dimensions),
  ) as Readonly<Record<string, unknown>>;
}

function writeBox(values: PublishValues, field: string, crs: unknown): unknown {
  const sides = boxSides.map((side) => [side, values[`${field}.${side}`] ?? ''] as const);
  if (sides.every(([, value]) => value.trim() === '')) return null;
  return {
    ...Object.fromEntries(sides.map(([side, value]) => [side, Number(value)])),
    ...(crs == null ? {} : { crs }),
  };
}

/** The field replaces all entries, so that it contains those that the form does not show. */
function writeMetadata(
  document: PublishDocument,
  values: PublishValues,
  changed: readonly DimensionName[],
): Readonly<Record<string, unknown>> {
  const others = listEntries(document).filter((entry) => changed.every((name) => name !== entry['@key']));
  const written = changed.map((name) => ({
    '@key': name,
    dimensionInfo: writeDimension(findDimension(document, name), values, name),
  }));
  return { metadata: { entry: [...others, ...written] } };
}

function writeDimension(last: DimensionInfo, values: PublishValues, name: DimensionName): DimensionInfo {
  const value = (field: string) => values[`${name}.${field}`] ?? '';
  const { attribute: _a, endAttribute: _e, resolution: _r, defaultValue: _d, ...rest } = last;
  const strategy = value('strategy');
  return {
    units: name === 'time' ? 'ISO8601' : 'EPSG:5030',
    ...rest,
    enabled: value('enabled') === 'true',
    ...(value('attribute') === '' ? {} : { attribute: value('attribute') }),
    ...(value('endAttribute') === '' ? {} : { endAttribute: value('endAttribute') }),
    presentation: value('presentation'),
    ...(value('resolution') === '' ? {} : { resolution: Number(value('resolution')) }),
    nearestMatchEnabled: value('nearest') === 'true',
    ...(strategy === 'BUILTIN'
      ? {}
      : {
          defaultValue: {
            strategy,
            ...(value('reference') === '' ? {} : { referenceValue: value('reference') }),
          },
        }),
  };
}
