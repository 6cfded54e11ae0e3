/** Translates queries of a published type to the names of its source. */
import { renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { PackedAttributes, SourceQuery, SourceTile } from '../../vector/port/port.ts';
import { createNativeNames, type NativeNames, type Publication } from './publication.ts';

export class NativeQueries {
  readonly #names: NativeNames;
  readonly #ownFilter: ResolvedFilter | undefined;
  readonly #hasNativeIds: boolean;

  constructor(publication: Publication) {
    this.#names = createNativeNames(publication);
    this.#ownFilter = publication.filter;
    this.#hasNativeIds = publication.name === publication.native.name;
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
    return wanted.length < needed.length ? {} : { attributes: wanted };
  }
}
