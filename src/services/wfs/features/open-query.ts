/** Opens one query of a request: the data of its type, with the query resolved against its attributes. */

import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { resolveFilter, type UnnamedGeometries } from '../../../filter/resolve/resolve.ts';
import type { WrittenCrs } from '../../../formats/port/port.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { createFilterSchema } from '../../../vector/port/filter-schema.ts';
import type { SortKey } from '../../../vector/port/port.ts';
import type { AccessMode } from '../../access/feature-access.ts';
import { type OpenedType, openType } from '../../access/open-type.ts';
import { getPublishedAttribute } from '../../ows/property-names.ts';
import { resolveSelection } from '../../ows/resolve-selection.ts';
import { getPublishedType, type WfsContext } from '../context/context.ts';
import { formatCrsForVersion, resolveWrittenCrs } from '../request/crs-names.ts';
import { formatTypeName, type RequestedQuery, type WfsVersion } from '../request/request.ts';

export interface OpenedQuery {
  readonly opened: OpenedType;
  readonly filter: ResolvedFilter | undefined;
  readonly sort: readonly SortKey[];
  /** Undefined for all. */
  readonly attributes: readonly string[] | undefined;
  /** The output CRS; undefined if the CRS of the data is unknown and coordinates are written unchanged. */
  readonly crs: WrittenCrs;
  /** The maximum number of features of this type; Infinity for no limit. */
  readonly maxFeatures: number;
}

/** The requirements of a format or an operation, which override the request. */
export interface FormatOptions {
  /** The intended use of the features; `read` by default. */
  readonly access?: AccessMode;
  /** The only CRS that the format supports. */
  readonly crs?: string;
  /** Whether properties that the schema requires are always written. */
  readonly keepsMandatory?: boolean;
  /** The attribute that must not be null. */
  readonly only?: string;
}

export async function openQuery(
  context: WfsContext,
  version: WfsVersion,
  query: RequestedQuery,
  wishes: FormatOptions,
): Promise<OpenedQuery> {
  if (query.join !== undefined) {
    const what = `A join of ${query.join.map(({ typeName }) => formatTypeName(typeName)).join(', ')} in this operation`;
    throw problem('ows-option-unsupported', { what, instead: 'use GetFeature', field: 'typeNames' });
  }
  const published = await getPublishedType(context, query.typeName, wishes.access ?? 'read');
  const opened = await openType(context.services.vectorData, published, context.signal, query.viewParameters);
  try {
    return {
      opened,
      filter: await addNotNullFilter(
        opened,
        wishes.only,
        await resolveSelection(query.selection, opened, getUnnamedGeometries(version, opened)),
      ),
      sort: query.sortBy.map(({ property, descending }) => ({
        attribute: getPublishedAttribute(published, property, 'sortBy').name,
        isDescending: descending,
      })),
      attributes: selectAttributes(query, opened, wishes),
      crs: await resolveWrittenCrs(
        wishes.crs === undefined ? version : '1.0.0',
        wishes.crs ?? query.srsName,
        published.crs,
      ),
      maxFeatures: published.maxFeatures || Number.POSITIVE_INFINITY,
    };
  } catch (error) {
    opened.release();
    throw error;
  }
}

export function selectAttributes(
  { propertyNames }: Pick<RequestedQuery, 'propertyNames'>,
  { published }: OpenedType,
  { keepsMandatory = false }: FormatOptions,
): readonly string[] | undefined {
  if (propertyNames === undefined) return undefined;
  const mandatory = keepsMandatory
    ? published.attributes.filter(({ nillable, minOccurs }) => !nillable && minOccurs !== 0)
    : [];
  const requested = propertyNames.map((each) => getPublishedAttribute(published, each, 'propertyName'));
  return [...new Set([...mandatory, ...requested].map(({ name }) => name))];
}

async function addNotNullFilter(
  { description }: OpenedType,
  attribute: string | undefined,
  filter: ResolvedFilter | undefined,
): Promise<ResolvedFilter | undefined> {
  if (attribute === undefined) return filter;
  const isNull = { kind: 'isNull', value: { kind: 'property', name: attribute } } as const;
  const outcome = await resolveFilter({ kind: 'not', filter: isNull }, createFilterSchema(description.attributes));
  if (outcome.kind === 'refused') return filter;
  return filter === undefined ? outcome.filter : { kind: 'and', filters: [outcome.filter, filter] };
}

/** Geometries without a CRS are in the CRS of the type, in the axis order of the version. */
export function getUnnamedGeometries(version: WfsVersion, { published }: OpenedType): UnnamedGeometries {
  const { code } = published.crs;
  return code === undefined ? {} : { srsName: formatCrsForVersion(version, code) };
}
