/** Opens one query of a request: the data of its type, with what is asked of it in terms of its attributes. */
import { readCrsName } from '../../data/crs/axis-order.ts';
import type { WrittenCrs } from '../../data/encode/port.ts';
import type { BoundingBoxFilter } from '../../data/filter/filter.ts';
import { readFilterFor, type WrittenFilter } from '../../data/filter/read-filter.ts';
import { resolveFilter, type UnnamedGeometries } from '../../data/filter/resolve.ts';
import type { ResolvedFilter } from '../../data/filter/resolved-filter.ts';
import type { Schema } from '../../data/filter/schema.ts';
import { describedSchema, filterSchema } from '../../data/vector/filter-schema.ts';
import type { SortKey } from '../../data/vector/port.ts';
import { Problem, problem } from '../../lib/problem.ts';
import { type OpenedType, openType } from '../door/open-type.ts';
import { findType, unescapeXmlName, type WfsContext } from './context.ts';
import { spelledFor, writtenCrs } from './crs-names.ts';
import { propertyNamed } from './property-names.ts';
import type { RequestedBox, RequestedQuery, Selection, WfsVersion } from './request.ts';

export interface OpenedQuery {
  readonly opened: OpenedType;
  readonly filter: ResolvedFilter | undefined;
  readonly sort: readonly SortKey[];
  /** Undefined for all. */
  readonly attributes: readonly string[] | undefined;
  /** What is written; undefined where it stays as it is kept, since nobody knows what that is. */
  readonly crs: WrittenCrs;
  /** No answer has more features of this type; infinite where nobody limits it. */
  readonly maxFeatures: number;
}

/** What a format wishes, whatever the client asks for. */
export interface FormatWishes {
  /** The one system that a format has. */
  readonly crs?: string;
  /** Whether what a schema demands is written although nobody asked for it. */
  readonly keepsMandatory?: boolean;
  /** The attribute that features must have a value for. */
  readonly only?: string;
}

export async function openQuery(
  context: WfsContext,
  version: WfsVersion,
  query: RequestedQuery,
  wishes: FormatWishes,
): Promise<OpenedQuery> {
  const published = await findType(context, query.typeName, 'read');
  const opened = await openType(context.services.vectorData, published, context.signal);
  try {
    return {
      opened,
      filter: await withValue(opened, wishes.only, await resolvedSelection(version, query.selection, opened)),
      sort: query.sortBy.map(({ property, descending }) => ({
        attribute: propertyNamed(published, property, 'sortBy').name,
        isDescending: descending,
      })),
      attributes: attributesOf(query, opened, wishes),
      crs: await writtenCrs(wishes.crs === undefined ? version : '1.0.0', wishes.crs ?? query.srsName, published.crs),
      maxFeatures: published.maxFeatures || Number.POSITIVE_INFINITY,
    };
  } catch (error) {
    opened.release();
    throw error;
  }
}

function attributesOf(
  { propertyNames }: RequestedQuery,
  { published }: OpenedType,
  { keepsMandatory = false }: FormatWishes,
): readonly string[] | undefined {
  if (propertyNames === undefined) return undefined;
  const mandatory = keepsMandatory
    ? published.attributes.filter(({ nillable, minOccurs }) => !nillable && minOccurs !== 0)
    : [];
  const asked = propertyNames.map((each) => propertyNamed(published, each, 'propertyName'));
  return [...new Set([...mandatory, ...asked].map(({ name }) => name))];
}

async function withValue(
  { description }: OpenedType,
  attribute: string | undefined,
  filter: ResolvedFilter | undefined,
): Promise<ResolvedFilter | undefined> {
  if (attribute === undefined) return filter;
  const isNull = { kind: 'isNull', value: { kind: 'property', name: attribute } } as const;
  const outcome = await resolveFilter({ kind: 'not', filter: isNull }, filterSchema(description.attributes));
  if (outcome.kind === 'refused') return filter;
  return filter === undefined ? outcome.filter : { kind: 'and', filters: [outcome.filter, filter] };
}

/** What a selection means for the data; undefined for all. */
export async function resolvedSelection(
  version: WfsVersion,
  selection: Selection,
  opened: OpenedType,
): Promise<ResolvedFilter | undefined> {
  switch (selection.kind) {
    case 'all':
      return undefined;
    case 'ids':
      return {
        kind: 'identifiers',
        identifiers: selection.ids.flatMap((id) => [...new Set([id, unescapeXmlName(id)])]),
      };
    case 'box':
      return resolvedBox(version, selection.box, opened);
    case 'filter':
      return resolved({ language: 'filter-xml', element: selection.filter }, 'filter', version, opened);
    case 'cql':
      return resolved({ language: 'ecql', text: selection.text }, 'cql_filter', version, opened);
  }
}

async function resolved(
  written: WrittenFilter,
  parameter: string,
  version: WfsVersion,
  opened: OpenedType,
): Promise<ResolvedFilter> {
  try {
    return await readFilterFor(written, schemaOf(opened), unnamedIn(version, opened));
  } catch (error) {
    if (!(error instanceof Problem) || error.details.field !== undefined) throw error;
    throw new Problem(error.code, error.message, { ...error.details, field: parameter });
  }
}

/** A box is a filter like any other, so that its axes and its system are read as those of filters are. */
async function resolvedBox(
  version: WfsVersion,
  { corners, crs }: RequestedBox,
  opened: OpenedType,
): Promise<ResolvedFilter> {
  const refuse = (expected: string): Problem =>
    problem('ows-parameter-invalid', { parameter: 'bbox', value: crs ?? corners.join(','), expected, field: 'bbox' });
  if (crs !== undefined && (await readCrsName(crs)) === undefined) {
    throw refuse('a coordinate reference system was expected behind the four numbers');
  }
  const [a, b, c, d] = corners;
  const box: BoundingBoxFilter = {
    kind: 'boundingBox',
    bounds: {
      kind: 'geometry',
      type: 'Envelope',
      coordinates: [
        [a, b],
        [c, d],
      ],
      ...(crs === undefined ? {} : { srsName: crs }),
    },
  };
  const outcome = await resolveFilter(box, schemaOf(opened), unnamedIn(version, opened));
  if (outcome.kind === 'resolved') return outcome.filter;
  throw refuse(outcome.complaint.message);
}

function schemaOf({ description }: OpenedType): Schema {
  return describedSchema(description);
}

/** What names no system is in that of the type, in the order of axes that the version has for it. */
function unnamedIn(version: WfsVersion, { published }: OpenedType): UnnamedGeometries {
  const { code } = published.crs;
  return code === undefined ? {} : { srsName: spelledFor(version, code) };
}
