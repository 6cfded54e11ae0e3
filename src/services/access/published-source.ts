/** A source as published: with renamed, computed or omitted attributes, and restricted by a filter. */
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { readEcqlExpression } from '../../filter/ecql/ecql.ts';
import { evaluateExpression, type FeatureValues, type StyleValue } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
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
import { toStyleValue } from '../../vector/support/pack-features.ts';
import { readMoment } from '../../vector/support/value-text.ts';
import { createRowMask, type MaskRows } from './mask-rows.ts';
import { NativeQueries } from './native-queries.ts';
import { findNativeName, type Publication } from './publication.ts';

/** Creates a source that supports reading features only. */
export function createPublishedSource(publication: Publication): VectorSource {
  const { source, of, native } = publication;
  const queries = new NativeQueries(publication);
  const show = createFeatureConverter(publication);

  async function select(query: SourceQuery, signal: AbortSignal) {
    const translated = queries.toNativeQuery(query);
    const { filter, sort, offset, limit, resolution } = query;
    const necessary = { ...queries.toNecessaryQuery(query), ...(resolution === undefined ? {} : { resolution }) };
    const selection = await selectFrom(source, of, translated ?? necessary, signal);
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
    const { mask } = publication;
    const batches =
      mask === undefined
        ? convertBatches(features, show)
        : maskBatches(features, () => createRowMask({ ...publication, mask }, show, signal));
    if (translated === undefined) return { batches, remainder: left };
    return { batches, remainder: {}, ...(selection.matched === undefined ? {} : { matched: selection.matched }) };
  }

  async function pack(query: SourceQuery, attributes: PackedAttributes, signal: AbortSignal) {
    const [translated, packed] = [queries.toNativeQuery(query), queries.toNativePacked(attributes)];
    return translated && packed && source.pack?.(of, translated, packed, signal);
  }

  const { count, estimateCount, bounds, computeStatistics, tile } = source;
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
    ...(source.hasLevels === undefined ? {} : { hasLevels: source.hasLevels }),
    count: async (_of, filter, signal) => {
      const all = queries.toNativeFilter(filter);
      return all && count?.call(source, of, all.filter, signal);
    },
    estimateCount: async (_of, filter, signal) => {
      const all = queries.toNativeFilter(filter);
      return all && estimateCount?.call(source, of, all.filter, signal);
    },
    bounds: async (_of, filter, signal) => {
      // The source knows the whole geometries, of which some are clipped or hidden.
      const all = publication.mask === undefined ? queries.toNativeFilter(filter) : undefined;
      return all && bounds?.call(source, of, all.filter, signal);
    },
    computeStatistics: async (_of, request, signal) => {
      const native = queries.toNativeStatistics(request);
      return native && computeStatistics?.call(source, of, native, signal);
    },
    ...(tile === undefined
      ? {}
      : {
          tile: async (_of: string | SqlView, requested: SourceTile, signal: AbortSignal) => {
            const native = queries.toNativeTile(requested);
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

async function* maskBatches(
  batches: AsyncIterable<readonly Feature[]>,
  start: () => Promise<MaskRows>,
): AsyncGenerator<readonly Feature[]> {
  const convert = await start();
  for await (const batch of batches) yield await convert(batch);
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
      attributes.map(({ name, type }, index) => [name, toStyleValue(values[index], type === 'date')]),
    );
    return toTypedValue(evaluateExpression(expression, named) ?? null, type);
  };
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
