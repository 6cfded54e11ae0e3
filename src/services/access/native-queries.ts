/** Translates queries of a published type to the names of its source. */
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import { renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { PackedAttributes, SourceQuery, SourceTile } from '../../vector/port/port.ts';
import type { StatisticsRequest } from '../../vector/port/value-statistics.ts';
import { createNativeNames, findNativeName, type NativeNames, type Publication } from './publication.ts';

export class NativeQueries {
  readonly #names: NativeNames;
  readonly #ownFilter: ResolvedFilter | undefined;
  readonly #hasNativeIds: boolean;
  readonly #clipped: ReadonlyMap<string, string>;
  /** The native attributes that decide which values of a row are visible. */
  readonly #maskAttributes: readonly string[];

  constructor(publication: Publication) {
    this.#names = createNativeNames(publication);
    this.#ownFilter = publication.filter;
    this.#hasNativeIds = publication.name === publication.native.name;
    const { mask, attributes, native } = publication;
    this.#maskAttributes = mask?.groups.flatMap(({ filter }) => listFilterAttributes(filter)) ?? [];
    this.#clipped = new Map(
      attributes.flatMap((each) => {
        const name = mask?.clipped.has(each.name) ? findNativeName(each, native) : undefined;
        return name === undefined ? [] : [[each.name, name] as const];
      }),
    );
  }

  /** The query without parts that need visible values, for which the caller evaluates the complete query. */
  toNecessaryQuery({ filter }: Pick<SourceQuery, 'filter'>): SourceQuery {
    const necessary = filter === undefined ? [] : [this.#weaken(filter)];
    const all = joinResolvedFilters('and', [...(this.#ownFilter === undefined ? [] : [this.#ownFilter]), ...necessary]);
    return all.kind === 'constant' && all.value ? {} : { filter: all };
  }

  /** Returns a condition on the data that every match of the filter fulfils. */
  #weaken(filter: ResolvedFilter): ResolvedFilter {
    if (filter.kind === 'and' || filter.kind === 'or') {
      return joinResolvedFilters(
        filter.kind,
        filter.filters.map((each) => this.#weaken(each)),
      );
    }
    // A geometry intersects whatever its clipped part intersects.
    const isMeeting = filter.kind === 'relation' && filter.relation === 'intersects';
    const names = isMeeting
      ? {
          ...this.#names,
          renameAttribute: (name: string) => this.#clipped.get(name) ?? this.#names.renameAttribute(name),
        }
      : this.#names;
    return renameAttributes(filter, names) ?? { kind: 'constant', value: true };
  }

  /** Combines the own filter with that of a query; undefined if the latter uses a computed attribute. */
  toNativeFilter(filter: ResolvedFilter | undefined): { readonly filter?: ResolvedFilter } | undefined {
    const own = this.#ownFilter;
    if (filter === undefined) return own === undefined ? {} : { filter: own };
    const translated = renameAttributes(filter, this.#names);
    if (translated === undefined) return undefined;
    return { filter: own === undefined ? translated : { kind: 'and', filters: [own, translated] } };
  }

  /** Translates a query to native names; undefined if it uses a computed attribute. */
  toNativeQuery({ filter, sort, attributes, ...page }: SourceQuery): SourceQuery | undefined {
    const translated = this.toNativeFilter(filter);
    const keys = sort?.map(({ attribute, ...rest }) => ({
      ...rest,
      attribute: this.#names.renameAttribute(attribute) ?? '',
    }));
    if (translated === undefined || keys?.some(({ attribute }) => attribute === '')) return undefined;
    return {
      ...page,
      ...translated,
      ...(keys === undefined ? {} : { sort: keys }),
      ...(attributes === undefined ? {} : this.#selectNeededAttributes(attributes)),
    };
  }

  /** Returns undefined if the attribute is computed, or hidden in some rows. */
  toNativeStatistics(request: StatisticsRequest): StatisticsRequest | undefined {
    const { filter, ...rest } = request;
    const translated = this.toNativeFilter(filter);
    const attribute = this.#names.renameAttribute(request.attribute);
    return translated === undefined || attribute === undefined ? undefined : { ...rest, ...translated, attribute };
  }

  /** Returns undefined if the tile needs a computed attribute, which the source does not have. */
  toNativeTile(asked: SourceTile): SourceTile | undefined {
    const { filter, ...tile } = asked;
    const translated = this.toNativeFilter(filter);
    const geometry = this.#names.renameAttribute(tile.geometry.name);
    const attributes = tile.attributes.map(({ name, as }) => ({ name: this.#names.renameAttribute(name) ?? '', as }));
    if (translated === undefined || geometry === undefined || attributes.some(({ name }) => name === '')) {
      return undefined;
    }
    return { ...tile, ...translated, geometry: { ...tile.geometry, name: geometry }, attributes };
  }

  /** Returns undefined if an attribute is computed or the ids have another prefix. */
  toNativePacked(attributes: PackedAttributes): PackedAttributes | undefined {
    const { geometries, values, hasIds, ...rest } = attributes;
    const named = [...geometries, ...values].map((each) => this.#names.renameAttribute(each));
    const wanted = named.filter((each) => each !== undefined);
    if (wanted.length < named.length || (hasIds && !this.#hasNativeIds)) return undefined;
    const [drawn, looked] = [wanted.slice(0, geometries.length), wanted.slice(geometries.length)];
    return { ...rest, geometries: drawn, values: looked, hasIds };
  }

  #selectNeededAttributes(attributes: readonly string[]): Pick<SourceQuery, 'attributes'> {
    const needed = attributes.map((each) => this.#names.renameAttribute(each));
    const wanted = needed.filter((each) => each !== undefined);
    return wanted.length < needed.length ? {} : { attributes: [...new Set([...wanted, ...this.#maskAttributes])] };
  }
}
