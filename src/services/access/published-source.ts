/** A source as published: with renamed, computed or omitted attributes, and restricted by a filter. */
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { readEcqlExpression } from '../../filter/ecql/ecql.ts';
import { evaluateExpression, type FeatureValues, type StyleValue } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { type AttributeRenaming, renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type {
  Attribute,
  Feature,
  FeatureTypeDescription,
  PackedAttributes,
  SourceQuery,
  SourceTile,
  Value,
  ValueType,
  VectorSource,
} from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import { createElementFilter } from '../../vector/query/complex-content.ts';
import { finishSelection, selectFrom } from '../../vector/query/finish-selection.ts';
import { readMoment } from '../../vector/support/value-text.ts';

/** The published view of a source type. */
export interface Publication {
  readonly source: VectorSource;
  readonly of: string | SqlView;
  /** The description of the source, with geometries in the declared CRS. */
  readonly native: FeatureTypeDescription;
  /** The description of the source as stored, for writing. */
  readonly stored: FeatureTypeDescription;
  readonly attributes: readonly PublishedAttribute[];
  /** The published name, which is the prefix of feature ids. */
  readonly name: string;
  /** Uses native attribute names. Features that do not match are hidden. */
  readonly filter: ResolvedFilter | undefined;
  /** Evaluates filters that the source does not support. */
  readonly filterRunner: FilterRunner;
}

/** Returns whether the source is published unchanged. */
export function isUnchangedPublication({ native, attributes, name, filter }: Publication): boolean {
  return (
    filter === undefined &&
    native.name === name &&
    attributes.length === native.attributes.length &&
    attributes.every(
      (each, index) =>
        findNativeName(each, native) === native.attributes[index]?.name && each.name === native.attributes[index]?.name,
    )
  );
}

/** Returns the native name of a published attribute; undefined if it is computed or missing in the data. */
export function findNativeName(
  { name, source }: PublishedAttribute,
  native: FeatureTypeDescription,
): string | undefined {
  const wanted = source === undefined ? name : source.replace(/^"([^"]*)"$/, '$1');
  return native.attributes.find((each) => each.name === wanted)?.name;
}

/** Creates a source that supports reading features only. */
export function createPublishedSource(publication: Publication): VectorSource {
  const { source, of, native, filter: own } = publication;
  const names = createNativeNames(publication);
  const show = createFeatureConverter(publication);

  /** Combines the own filter with that of a query; undefined if the latter uses a computed attribute. */
  function toNativeFilter(filter: ResolvedFilter | undefined): { readonly filter?: ResolvedFilter } | undefined {
    if (filter === undefined) return own === undefined ? {} : { filter: own };
    const translated = renameAttributes(filter, names);
    if (translated === undefined) return undefined;
    return { filter: own === undefined ? translated : { kind: 'and', filters: [own, translated] } };
  }

  /** Translates a query to native names; undefined if it uses a computed attribute. */
  function toNativeQuery({ filter, sort, attributes, ...page }: SourceQuery): SourceQuery | undefined {
    const translated = toNativeFilter(filter);
    const keys = sort?.map(({ attribute, ...rest }) => ({
      ...rest,
      attribute: names.renameAttribute(attribute) ?? '',
    }));
    if (translated === undefined || keys?.some(({ attribute }) => attribute === '')) return undefined;
    return {
      ...page,
      ...translated,
      ...(keys === undefined ? {} : { sort: keys }),
      ...(attributes === undefined ? {} : selectNeededAttributes(attributes)),
    };
  }

  function selectNeededAttributes(attributes: readonly string[]): Pick<SourceQuery, 'attributes'> {
    const needed = attributes.map((each) => names.renameAttribute(each));
    const wanted = needed.filter((each) => each !== undefined);
    return wanted.length < needed.length ? {} : { attributes: wanted };
  }

  async function select(query: SourceQuery, signal: AbortSignal) {
    const translated = toNativeQuery(query);
    const { filter, sort, offset, limit } = query;
    const selection = await selectFrom(source, of, translated ?? toNativeFilter(undefined) ?? {}, signal);
    const features = finishSelection(selection, {
      attributes: native.attributes,
      runner: publication.filterRunner,
      signal,
    });
    const left = {
      ...(filter === undefined ? {} : { filter }),
      ...(sort === undefined ? {} : { sort }),
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined ? {} : { limit }),
    };
    const batches = convertBatches(features, show);
    if (translated === undefined) return { batches, remainder: left };
    return { batches, remainder: {}, ...(selection.matched === undefined ? {} : { matched: selection.matched }) };
  }

  /** Returns undefined if the tile needs a computed attribute, which the source does not have. */
  function toNativeTile(asked: SourceTile): SourceTile | undefined {
    const { filter, ...tile } = asked;
    const translated = toNativeFilter(filter);
    const geometry = names.renameAttribute(tile.geometry.name);
    const attributes = tile.attributes.map(({ name, as }) => ({ name: names.renameAttribute(name) ?? '', as }));
    if (translated === undefined || geometry === undefined || attributes.some(({ name }) => name === '')) {
      return undefined;
    }
    return { ...tile, ...translated, geometry: { ...tile.geometry, name: geometry }, attributes };
  }

  /** Returns undefined if an attribute is computed or the ids have another prefix. */
  async function pack(query: SourceQuery, attributes: PackedAttributes, signal: AbortSignal) {
    const { geometries, values, hasIds, ...rest } = attributes;
    const translated = toNativeQuery(query);
    const named = [...geometries, ...values].map((each) => names.renameAttribute(each));
    const wanted = named.filter((each) => each !== undefined);
    const isSame = wanted.length === named.length && !(hasIds && publication.name !== native.name);
    if (translated === undefined || !isSame) return undefined;
    const [drawn, looked] = [wanted.slice(0, geometries.length), wanted.slice(geometries.length)];
    return source.pack?.(of, translated, { ...rest, geometries: drawn, values: looked, hasIds }, signal);
  }

  const { count, estimateCount, bounds, tile } = source;
  return {
    listTypes: () => Promise.reject(new Error('A published type supports reading features only')),
    describe: () => Promise.reject(new Error('A published type supports reading features only')),
    async *read(_name, query, signal) {
      const { batches } = await select(query, signal);
      yield* batches;
    },
    filters: true,
    select: (_of, query, signal) => select(query, signal),
    pack: (_of, query, attributes, signal) => pack(query, attributes, signal),
    ...(source.countsAlong === undefined ? {} : { countsAlong: source.countsAlong }),
    count: async (_of, filter, signal) => {
      const all = toNativeFilter(filter);
      return all && count?.call(source, of, all.filter, signal);
    },
    estimateCount: async (_of, filter, signal) => {
      const all = toNativeFilter(filter);
      return all && estimateCount?.call(source, of, all.filter, signal);
    },
    bounds: async (_of, filter, signal) => {
      const all = toNativeFilter(filter);
      return all && bounds?.call(source, of, all.filter, signal);
    },
    ...(tile === undefined
      ? {}
      : {
          tile: async (_of: string | SqlView, asked: SourceTile, signal: AbortSignal) => {
            const native = toNativeTile(asked);
            return native && tile.call(source, of, native, signal);
          },
        }),
    close: async () => undefined,
  };
}

async function* convertBatches(
  batches: AsyncIterable<readonly Feature[]>,
  show: (feature: Feature) => Feature,
): AsyncGenerator<readonly Feature[]> {
  for await (const batch of batches) yield batch.map(show);
}

interface NativeNames extends AttributeRenaming {
  renameAttribute(name: string): string | undefined;
}

export function createNativeNames({ native, attributes, name }: Publication): NativeNames {
  const byName = new Map(attributes.map((each) => [each.name, findNativeName(each, native)]));
  const published = new Set(byName.values());
  for (const { name: path } of native.complex?.paths ?? []) {
    if (published.has(path.slice(0, path.indexOf('/')))) byName.set(path, path);
  }
  const [prefix, nativePrefix] = [`${name}.`, `${native.name}.`];
  return {
    renameAttribute: (each) => byName.get(each),
    renameIdentifiers: (identifiers) =>
      name === native.name
        ? identifiers
        : identifiers.flatMap((id) => {
            if (id.startsWith(prefix)) return [`${nativePrefix}${id.slice(prefix.length)}`, id];
            // The native name must not be disclosed.
            return id.startsWith(nativePrefix) ? [] : [id];
          }),
  };
}

/** Creates a function that converts a native feature to the published schema and id prefix. */
export function createFeatureConverter({ native, attributes, name }: Publication): (feature: Feature) => Feature {
  const values = attributes.map((attribute) => createValueReader(attribute, native));
  const nativePrefix = `${native.name}.`;
  const toPublishedId = (id: string) =>
    name !== native.name && id.startsWith(nativePrefix) ? `${name}.${id.slice(nativePrefix.length)}` : id;
  const published = new Set(attributes.map((each) => findNativeName(each, native)));
  const hidden = native.attributes.filter((each) => !published.has(each.name));
  const showContent = createElementFilter(hidden.flatMap((each) => native.complex?.elements.get(each.name) ?? []));
  return (feature) => ({
    ...feature,
    id: toPublishedId(feature.id),
    values: values.map((each) => each(feature)),
    ...(feature.content === undefined ? {} : { content: showContent(feature.content) }),
  });
}

function createValueReader(
  attribute: PublishedAttribute,
  native: FeatureTypeDescription,
): (feature: Feature) => Feature['values'][number] {
  const source = findNativeName(attribute, native);
  if (source !== undefined) {
    const index = native.attributes.findIndex((each) => each.name === source);
    return ({ values }) => values[index] ?? null;
  }
  const outcome = attribute.source === undefined ? undefined : readEcqlExpression(attribute.source);
  if (outcome?.kind !== 'read' || attribute.kind === 'geometry') return () => null;
  return createComputedValueReader(outcome.value, native.attributes, attribute.type);
}

function createComputedValueReader(
  expression: Expression,
  attributes: readonly Attribute[],
  type: ValueType,
): (feature: Feature) => Value {
  return ({ values }) => {
    const named: FeatureValues = Object.fromEntries(
      attributes.map(({ name }, index) => [name, toStyleValue(values[index])]),
    );
    return toTypedValue(evaluateExpression(expression, named) ?? null, type);
  };
}

/** Converts a value to a type that expressions support. */
function toStyleValue(value: Feature['values'][number] | undefined): StyleValue {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' || value === undefined ? null : value;
}

/** Converts a value to the attribute type; null if that is not possible. */
function toTypedValue(value: StyleValue, type: ValueType): Value {
  if (value === null) return null;
  switch (type) {
    case 'string':
    case 'uuid':
    case 'time':
    case 'decimal':
      return String(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : String(value) === 'true';
    case 'short':
    case 'integer':
    case 'long':
    case 'float':
    case 'double': {
      const number = Number(value);
      return Number.isFinite(number) ? number : null;
    }
    case 'date':
    case 'timestamp': {
      const moment = new Date(String(value));
      const exact = type === 'timestamp' ? readMoment(String(value)) : null;
      return typeof exact === 'string' ? exact : Number.isNaN(moment.getTime()) ? null : moment;
    }
    case 'bytes':
      return null;
  }
}
