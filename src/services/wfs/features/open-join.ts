/** Opens the types of a join, and divides its filter into conditions of one type and of several types. */
import { joinResolvedFilters } from '../../../filter/model/join-resolved-filters.ts';
import { hasIdFilter, listFilterAttributes, listFilterGeometries } from '../../../filter/model/list-attributes.ts';
import { renameAttributes } from '../../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import type { WrittenCrs } from '../../../formats/port/port.ts';
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { Attribute, SortKey } from '../../../vector/port/port.ts';
import { type OpenedType, openType } from '../../access/open-type.ts';
import { getPublishedAttribute } from '../../ows/property-names.ts';
import { resolveSelection } from '../../ows/resolve-selection.ts';
import { getPublishedType, type WfsContext } from '../context/context.ts';
import { formatCrsForVersion, resolveWrittenCrs } from '../request/crs-names.ts';
import type { JoinedType, RequestedQuery, TypeName, WfsVersion } from '../request/request.ts';
import { type FormatOptions, selectAttributes } from './open-query.ts';

export interface OpenedJoin {
  readonly members: readonly OpenedMember[];
  /** Conditions that use several types; attributes are named like `a/name`. */
  readonly conditions: readonly ResolvedFilter[];
  readonly sort: readonly SortKey[];
  /** Of all geometries, also while conditions are evaluated. */
  readonly crs: WrittenCrs;
}

export interface OpenedMember {
  readonly alias: string;
  readonly opened: OpenedType;
  /** The conditions of this type, which its source evaluates. */
  readonly filter: ResolvedFilter | undefined;
  /** The attributes to return; undefined for all. */
  readonly attributes: readonly string[] | undefined;
}

export async function openJoin(
  context: WfsContext,
  version: WfsVersion,
  query: RequestedQuery,
  wishes: FormatOptions,
): Promise<OpenedJoin> {
  const types: { readonly alias: string; readonly opened: OpenedType }[] = [];
  try {
    for (const { typeName, alias } of query.join ?? []) {
      types.push({ alias, opened: await openMember(context, query, typeName) });
    }
    const [first] = types;
    if (first === undefined) throw new Error('A join has no types');
    const crs = await resolveWrittenCrs(version, query.srsName, first.opened.published.crs);
    const filters = splitConjunction(await resolveJoinFilter(query, types, crs, version));
    const { own, conditions } = divideConditions(filters, types, crs);
    return {
      members: types.map(({ alias, opened }) => ({
        alias,
        opened,
        filter: joinOwnConditions(own.get(alias)),
        attributes: selectMemberAttributes(query, alias, opened, wishes),
      })),
      conditions,
      sort: query.sortBy.map(({ property, descending }) => {
        const { alias, name } = findProperty(types, property, 'sortBy');
        return { attribute: formatPath(alias, name), isDescending: descending };
      }),
      crs,
    };
  } catch (error) {
    for (const { opened } of types) opened.release();
    throw error;
  }
}

async function openMember(
  context: WfsContext,
  { viewParameters }: RequestedQuery,
  typeName: TypeName,
): Promise<OpenedType> {
  const published = await getPublishedType(context, typeName, 'read');
  const opened = await openType(context.services.vectorData, published, context.signal, viewParameters);
  if (opened.description.complex === undefined) return opened;
  opened.release();
  throw createUnsupportedProblem(`A join with the nested features of '${published.qualifiedName}'`, 'typeNames');
}

function createUnsupportedProblem(what: string, field: string): Problem {
  return problem('ows-option-unsupported', { what, instead: 'query each type separately', field });
}

/** The name of an attribute in conditions of a join. */
export function formatPath(alias: string, name: string): string {
  return `${alias}/${name}`;
}

interface NamedType extends Pick<JoinedType, 'alias'> {
  readonly opened: OpenedType;
}

/** Geometries of all types are compared in the CRS of the response. */
async function resolveJoinFilter(
  { selection }: RequestedQuery,
  types: readonly NamedType[],
  { reference, name }: WrittenCrs,
  version: WfsVersion,
): Promise<ResolvedFilter | undefined> {
  if (selection.kind === 'all') return undefined;
  if (selection.kind === 'ids' || selection.kind === 'box') {
    const field = selection.kind === 'ids' ? 'resourceId' : 'bbox';
    const instead = 'send a filter whose conditions name properties with an alias, such as a/geom';
    throw problem('ows-option-unsupported', { what: `The parameter ${field} in a join`, instead, field });
  }
  const [first] = types;
  if (first === undefined) return undefined;
  const attributes = types.flatMap(({ alias, opened }) =>
    opened.description.attributes.map((attribute): Attribute => {
      const path = formatPath(alias, attribute.name);
      return attribute.kind === 'geometry' && name !== undefined
        ? { ...attribute, name: path, crs: reference }
        : { ...attribute, name: path };
    }),
  );
  const target = { ...first.opened, description: { name: 'the join', attributes } };
  const { code } = reference;
  const filter = await resolveSelection(
    selection,
    target,
    code === undefined ? {} : { srsName: formatCrsForVersion(version, code) },
  );
  if (filter !== undefined && hasIdFilter(filter)) {
    throw createUnsupportedProblem('A condition with feature ids in a join', 'filter');
  }
  return filter;
}

function splitConjunction(filter: ResolvedFilter | undefined): readonly ResolvedFilter[] {
  if (filter === undefined) return [];
  return filter.kind === 'and' ? filter.filters.flatMap(splitConjunction) : [filter];
}

/**
 * The source of a type evaluates conditions that use only this type, unless its geometries are in another CRS than the
 * condition.
 */
function divideConditions(
  filters: readonly ResolvedFilter[],
  types: readonly NamedType[],
  crs: WrittenCrs,
): { readonly own: ReadonlyMap<string, readonly ResolvedFilter[]>; readonly conditions: readonly ResolvedFilter[] } {
  const own = new Map<string, ResolvedFilter[]>();
  const conditions: ResolvedFilter[] = [];
  for (const filter of filters) {
    const aliases = new Set(listFilterAttributes(filter).map((path) => path.slice(0, path.indexOf('/'))));
    const [alias] = aliases;
    const type = aliases.size === 1 ? types.find((each) => each.alias === alias) : undefined;
    const moved = type && hasSystemOf(filter, type, crs) ? toOwnNames(filter, type.alias) : undefined;
    if (type === undefined || moved === undefined) conditions.push(filter);
    else own.set(type.alias, [...(own.get(type.alias) ?? []), moved]);
  }
  return { own, conditions };
}

function hasSystemOf(filter: ResolvedFilter, { alias, opened }: NamedType, { reference, name }: WrittenCrs): boolean {
  return listFilterGeometries(filter).every((path) => {
    const found = opened.description.attributes.find((each) => formatPath(alias, each.name) === path);
    return found?.kind === 'geometry' && (name === undefined || found.crs.code === reference.code);
  });
}

function toOwnNames(filter: ResolvedFilter, alias: string): ResolvedFilter | undefined {
  return renameAttributes(filter, {
    renameAttribute: (path) => path.slice(alias.length + 1),
    renameIdentifiers: (ids) => ids,
  });
}

function joinOwnConditions(filters: readonly ResolvedFilter[] | undefined): ResolvedFilter | undefined {
  return filters === undefined ? undefined : joinResolvedFilters('and', filters);
}

/** Finds `a/name`, where prefixes are ignored. */
function findProperty(
  types: readonly NamedType[],
  written: string,
  parameter: string,
): { readonly alias: string; readonly name: string } {
  const slash = written.indexOf('/');
  const alias = written.slice(0, Math.max(0, slash)).replace(/^[^:]*:/, '');
  const type = types.find((each) => each.alias === alias);
  if (type === undefined) {
    throw problem('ows-parameter-invalid', {
      parameter,
      value: written,
      expected: `expected a property after one of the aliases ${types.map((each) => each.alias).join(', ')}, such as ${types[0]?.alias ?? 'a'}/name`,
      field: parameter,
    });
  }
  return { alias, name: getPublishedAttribute(type.opened.published, written.slice(slash + 1), parameter).name };
}

/** Types without a requested property have only their id, and what their schema requires. */
function selectMemberAttributes(
  { propertyNames, join = [] }: RequestedQuery,
  alias: string,
  opened: OpenedType,
  wishes: FormatOptions,
): readonly string[] | undefined {
  if (propertyNames === undefined) return undefined;
  const named = propertyNames.map((written) => {
    const first = written.slice(0, Math.max(0, written.indexOf('/'))).replace(/^[^:]*:/, '');
    if (!join.some((each) => each.alias === first)) {
      throw problem('ows-parameter-invalid', {
        parameter: 'propertyName',
        value: written,
        expected: `expected a property after one of the aliases ${join.map((each) => each.alias).join(', ')}`,
        field: 'propertyName',
      });
    }
    return { alias: first, name: written.slice(written.indexOf('/') + 1) };
  });
  const own = named.filter((each) => each.alias === alias).map(({ name }) => name);
  return own.includes('*') ? undefined : selectAttributes({ propertyNames: own }, opened, wishes);
}
