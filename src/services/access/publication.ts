/** The names of a published type and of its source. */
import { getColumnName, type PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import type { AttributeRenaming } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { FeatureTypeDescription, VectorSource } from '../../vector/port/port.ts';
import type { SqlView } from '../../vector/port/sql-view.ts';
import type { CompiledRestriction, RowMask } from './compiled-restriction.ts';

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
  /** Uses native attribute names. Features that do not match are hidden. Includes the data rules. */
  readonly filter: ResolvedFilter | undefined;
  /** The filter of the layer without the data rules. */
  readonly layerFilter: ResolvedFilter | undefined;
  /** The data rules for the principal; undefined if the layer is unrestricted. */
  readonly restriction?: CompiledRestriction | undefined;
  /** Values that the principal can see in some rows only. */
  readonly mask?: RowMask | undefined;
  /** Evaluates filters that the source does not support. */
  readonly filterRunner: FilterRunner;
}

/** Returns whether the source is published unchanged. */
export function isUnchangedPublication({ native, attributes, name, filter, mask }: Publication): boolean {
  return (
    filter === undefined &&
    mask === undefined &&
    native.name === name &&
    attributes.length === native.attributes.length &&
    attributes.every(
      (each, index) =>
        findNativeName(each, native) === native.attributes[index]?.name && each.name === native.attributes[index]?.name,
    )
  );
}

/** Returns the native name of a published attribute; undefined if it is computed or missing in the data. */
export function findNativeName(attribute: PublishedAttribute, native: FeatureTypeDescription): string | undefined {
  const wanted = getColumnName(attribute);
  return native.attributes.find((each) => each.name === wanted)?.name;
}

export interface NativeNames extends AttributeRenaming {
  renameAttribute(name: string): string | undefined;
}

/** Attributes that are hidden or clipped in some rows have no counterpart, like computed ones. */
export function createNativeNames(publication: Publication): NativeNames {
  const { native, attributes, name, mask } = publication;
  const usable = mask === undefined ? attributes : attributes.filter((each) => !mask.attributes.has(each.name));
  const byName = new Map(usable.map((each) => [each.name, findNativeName(each, native)]));
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

/** Replaces the name of the table in a feature id with the name of the type. */
export function toPublishedId(id: string, from: string, to: string): string {
  return id.startsWith(`${from}.`) ? `${to}.${id.slice(from.length + 1)}` : id;
}
