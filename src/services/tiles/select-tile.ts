/** Resolves the names and numbers of a tile request; errors name the parameter. */

import type { StyleReference } from '../../catalog/kinds/style.ts';
import { toStyleReference } from '../../catalog/layers/style-references.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { findTileFormat, type TileFormat } from '../../tiles/tile-format.ts';
import {
  getFinestLevel,
  getMatrix,
  parseLevel,
  type TileAddress,
  type TileMatrixSet,
} from '../../tiles/tile-matrix-set.ts';
import type { MapAccess } from '../access/map-access.ts';
import { chooseMapStyle } from '../access/map-styles.ts';
import type { PublishedMap } from '../access/published-map.ts';
import { applyStyleFilters } from './parameter-filters.ts';
import { getMapId } from './possible-formats.ts';
import { listTileFormats, loadTileSettings } from './tile-offer.ts';

/** The parameter names for errors. */
export interface TileFields {
  readonly layer: string;
  readonly style: string;
  readonly format: string;
  readonly set: string;
  readonly level: string;
  readonly row: string;
  readonly column: string;
}

export async function getTileMap(mapAccess: MapAccess, name: string, field: string): Promise<PublishedMap> {
  const map = await mapAccess.find(name, 'read');
  if (map === undefined) throw problem('tile-layer-unknown', { name, field });
  return map;
}

/** Returns null for the default style, which is requested by an empty name or its own name. */
export async function selectTileStyle(
  catalog: CatalogReader,
  map: PublishedMap,
  sent: string | undefined,
  field: string,
): Promise<StyleReference | null> {
  const name = sent === undefined || sent === 'default' || sent === '_' ? '' : sent;
  const { parameterFilters = [] } = await loadTileSettings(catalog, getMapId(map));
  const style = await resolveTileStyle(catalog, map, name, field);
  const chosen = applyStyleFilters(parameterFilters, style === null ? '' : name, field);
  return chosen === name ? style : resolveTileStyle(catalog, map, chosen, field);
}

async function resolveTileStyle(
  catalog: CatalogReader,
  map: PublishedMap,
  name: string,
  field: string,
): Promise<StyleReference | null> {
  if (name === '') return null;
  if (map.kind === 'group') {
    if (map.styles.some((each) => each.name === name)) return name;
    throw problem('tile-style-unknown', { style: name, layer: map.name, field });
  }
  try {
    const { style } = await chooseMapStyle(catalog, map, name);
    const reference = toStyleReference(style);
    return reference === map.layer.defaultStyle ? null : reference;
  } catch (error) {
    const isUnknown = error instanceof Problem && error.code === 'wms-style-unknown';
    throw isUnknown ? problem('tile-style-unknown', { style: name, layer: map.name, field }) : error;
  }
}

/** The style is a part of the path, which does not exist without it. */
export async function selectPathStyle(
  catalog: CatalogReader,
  map: PublishedMap,
  name: string | undefined,
): Promise<StyleReference | null> {
  try {
    return await selectTileStyle(catalog, map, name, 'style');
  } catch (error) {
    const isUnknown = error instanceof Problem && error.code === 'tile-style-unknown';
    throw isUnknown ? problem('collection-style-unknown', { style: name ?? '', collection: map.name }) : error;
  }
}

export async function selectTileFormat(
  catalog: CatalogReader,
  map: PublishedMap,
  name: string,
  field: string,
): Promise<TileFormat> {
  const offered = await listTileFormats(catalog, map);
  const format = findTileFormat(name);
  if (format === undefined || !offered.includes(format)) {
    throw problem('tile-format-unknown', { format: name, formats: offered.map((each) => each.mediaType), field });
  }
  return format;
}

/** Counted from the upper left. */
export function parseTileAddress(
  set: TileMatrixSet,
  written: { readonly level: string; readonly row: string; readonly column: string },
  fields: Pick<TileFields, 'level' | 'row' | 'column'>,
): TileAddress {
  const level = parseLevel(set, written.level);
  if (level === undefined) {
    throw problem('tile-grid-unknown', { name: written.level, known: listLevels(set), field: fields.level });
  }
  const { rows, columns } = getMatrix(set, level);
  return {
    level,
    row: readNumberBelow(rows, written.row, fields.row),
    column: readNumberBelow(columns, written.column, fields.column),
  };
}

function listLevels(set: TileMatrixSet): readonly string[] {
  const isNumbered = set.matrices.every(({ name }, level) => name === String(level));
  return isNumbered ? [`0 to ${getFinestLevel(set)}`] : set.matrices.map(({ name }) => name);
}

function readNumberBelow(limit: number, written: string, field: string): number {
  if (!/^-?\d+$/.test(written)) {
    const expected = `expected an integer from 0 to ${limit - 1}`;
    throw problem('ows-parameter-invalid', { parameter: field, value: excerpt(written), expected, field });
  }
  if (!/^\d{1,9}$/.test(written) || Number(written) >= limit) {
    throw problem('tile-out-of-range', { value: written, most: limit - 1, field });
  }
  return Number(written);
}
