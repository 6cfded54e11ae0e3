/** Checks a request for a tile export, and decides which tiles it contains. */

import { formatTileOwner, type TileOwner } from '../../catalog/kinds/tile-layer.ts';
import type { Viewer } from '../../catalog/layers/layers.ts';
import { locateTileOwner } from '../../catalog/tile-layers/tile-layers.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { ArchiveMetadata } from '../../lib/tile-archive/archive-file.ts';
import {
  countExportedTiles,
  type DegreeBox,
  findTiles,
  MAX_EXPORTED_TILES,
  touchesGrid,
  WORLD_BOUNDS,
  type ZoomTiles,
} from '../../lib/tile-archive/exported-tiles.ts';
import type { ExportOrder, ExportRequest } from '../../tiles/exports/export-job.ts';
import { isArchivedFormat } from '../../tiles/exports/write-export.ts';
import type { TileFormat } from '../../tiles/tile-format.ts';
import { computeMatrixBounds, getMatrix } from '../../tiles/tile-matrix-set.ts';
import { listStyledLayers, type PublishedMap } from '../access/published-map.ts';
import { hasFeatureTiles } from '../maps/drawable-layers.ts';
import { loadTileStyle } from '../maps/tile-style.ts';
import { describeVectorLayers } from '../ogc-api/tiles/documents.ts';
import { checkExportable, findJobMap } from '../tiles/job-tile.ts';
import { prepareTile, type TileServices } from '../tiles/map-tile.ts';
import { getMapId } from '../tiles/possible-formats.ts';
import { selectTileFormat, selectTileStyle } from '../tiles/select-tile.ts';
import { findOfferedTiles, listTileFormats, type OfferedSet, selectTileMatrixSet } from '../tiles/tile-offer.ts';
import { readTileOptions } from '../tiles/tile-options.ts';

/** The grid of both archive formats. */
const GRID = 'WebMercatorQuad';

const ROOT = 'tileExport';

export async function prepareTileExport(
  services: TileServices,
  principal: Principal,
  request: ExportRequest,
  limits: DocumentLimits,
): Promise<ExportOrder> {
  const viewer = { principal, permissions: await services.access.getPermissions(principal) };
  const owner = await findOwner(services, request, viewer);
  const name = formatTileOwner(owner);
  const map = await findJobMap(services, name);
  if (map === undefined || getMapId(map) !== owner.owner.id) {
    throw problem('tile-export-refused', { layer: name, reason: 'it is disabled, or its workspace is isolated' });
  }
  const layers = listStyledLayers(map, null).map(({ layer }) => layer);
  const { catalog } = services;
  const format = await selectFormat(services, map, request.format);
  const style = await selectTileStyle(catalog, map, request.style ?? undefined, `${ROOT}.style`);
  const offered = await selectTileMatrixSet(catalog, map, GRID, `${ROOT}.layer`);
  const { bounds, zooms } = selectTiles(offered, map, request);
  const drawn = listStyledLayers(map, style).map(({ layer }) => layer);
  if ([...layers, ...drawn].some(({ workspace }) => !viewer.permissions.administers(workspace.name))) {
    throw problem('tile-export-foreign', { layer: name, field: `${ROOT}.layer` });
  }
  const order: ExportOrder = {
    map: getMapId(map),
    name,
    localName: map.name,
    workspace: owner.workspace?.id ?? null,
    workspaces: [...new Set(drawn.map(({ workspace }) => workspace.id))],
    style,
    ...(style === null || request.style == null ? {} : { styleName: request.style }),
    set: offered.set.id,
    setKey: offered.set.key,
    format: format.name,
    parameters: [],
    archive: request.archive,
    zooms,
    bounds,
    metadata: await describeMap(services, map, format),
    createdBy: principal.name,
  };
  await checkFirstTile(services, { map, order, offered, format }, limits);
  return order;
}

async function findOwner({ catalog }: TileServices, { layer, workspace }: ExportRequest, viewer: Viewer) {
  const place = { name: layer, ...(workspace === undefined ? {} : { workspace }) };
  return locateTileOwner(catalog, place, viewer).catch((error: unknown): TileOwner => {
    // The path exists; the document names the layer.
    const isUnknown = error instanceof Problem && error.code === 'layer-unknown';
    throw isUnknown ? problem('tile-layer-unknown', { name: layer, field: `${ROOT}.layer` }) : error;
  });
}

async function selectFormat({ catalog }: TileServices, map: PublishedMap, written = 'image/png'): Promise<TileFormat> {
  const field = `${ROOT}.format`;
  const format = await selectTileFormat(catalog, map, written, field);
  if (isArchivedFormat(format.name)) return format;
  const possible = (await listTileFormats(catalog, map)).filter(({ name }) => isArchivedFormat(name));
  throw problem('tile-format-unknown', {
    format: written,
    formats: possible.map(({ mediaType }) => mediaType),
    field,
  });
}

function selectTiles(
  offered: OfferedSet,
  { latLonBounds }: PublishedMap,
  request: ExportRequest,
): { readonly bounds: DegreeBox; readonly zooms: readonly ZoomTiles[] } {
  const { minLevel, maxLevel } = offered;
  const { zoomStart = minLevel, zoomStop } = request;
  requireZoom('zoomStart', zoomStart, minLevel, maxLevel);
  requireZoom('zoomStop', zoomStop, zoomStart, maxLevel);
  const extent: DegreeBox | null = latLonBounds && [
    Math.max(-180, latLonBounds.minX),
    Math.max(-90, latLonBounds.minY),
    Math.min(180, latLonBounds.maxX),
    Math.min(90, latLonBounds.maxY),
  ];
  const bounds = request.bounds ?? extent ?? WORLD_BOUNDS;
  const zooms: ZoomTiles[] = [];
  for (let zoom = zoomStart; zoom <= zoomStop && touchesGrid(bounds); zoom += 1) {
    const tiles = intersect(offered, findTiles(zoom, bounds));
    if (tiles !== undefined) zooms.push(tiles);
  }
  const tiles = countExportedTiles(zooms);
  if (tiles === 0) throw problem('tile-export-empty', { field: `${ROOT}.bounds` });
  if (tiles > MAX_EXPORTED_TILES) {
    throw problem('tile-export-too-large', { tiles, limit: MAX_EXPORTED_TILES, field: `${ROOT}.zoomStop` });
  }
  return { bounds, zooms };
}

function requireZoom(name: 'zoomStart' | 'zoomStop', zoom: number, low: number, high: number): void {
  if (Number.isInteger(zoom) && zoom >= low && zoom <= high) return;
  const field = `${ROOT}.${name}`;
  const message = `expected an integer from ${low} to ${high}, found ${zoom}`;
  throw problem('document-invalid', { complaints: [{ field, message }], field });
}

function intersect(offered: OfferedSet, wanted: ZoomTiles): ZoomTiles | undefined {
  const whole = offered.extent ?? computeMatrixBounds(getMatrix(offered.set, wanted.zoom));
  const tiles = findOfferedTiles(offered, wanted.zoom, whole);
  if (tiles === undefined) return undefined;
  const minColumn = Math.max(tiles.minColumn, wanted.minColumn);
  const maxColumn = Math.min(tiles.maxColumn, wanted.maxColumn);
  const minRow = Math.max(tiles.minRow, wanted.minRow);
  const maxRow = Math.min(tiles.maxRow, wanted.maxRow);
  return minColumn > maxColumn || minRow > maxRow
    ? undefined
    : { zoom: wanted.zoom, minColumn, maxColumn, minRow, maxRow };
}

async function describeMap(
  services: TileServices,
  map: PublishedMap,
  { isVector }: TileFormat,
): Promise<ArchiveMetadata> {
  const described: unknown[] = [];
  for (const styled of isVector ? listStyledLayers(map, null) : []) {
    const { layer } = styled;
    if (layer.type === undefined || !hasFeatureTiles(layer)) continue;
    const tileStyle = await loadTileStyle(services, styled);
    described.push(...describeVectorLayers({ type: layer.type, tileStyle }));
  }
  const attribution = map.attribution?.title;
  return {
    name: map.title,
    ...(map.abstract === '' ? {} : { description: map.abstract }),
    ...(attribution == null || attribution === '' ? {} : { attribution }),
    ...(isVector ? { vector_layers: described } : {}),
  };
}

/** Reports a layer that cannot be exported at once. */
async function checkFirstTile(
  services: TileServices,
  parts: {
    readonly map: PublishedMap;
    readonly order: ExportOrder;
    readonly offered: OfferedSet;
    readonly format: TileFormat;
  },
  limits: DocumentLimits,
): Promise<void> {
  const { map, order, offered, format } = parts;
  const [first] = order.zooms;
  const address = { level: first?.zoom ?? 0, row: first?.minRow ?? 0, column: first?.minColumn ?? 0 };
  const wishes = await readTileOptions(new Map(), limits, format);
  const prepared = await prepareTile(services, { map, style: order.style, set: offered.set, address, format, wishes });
  checkExportable(prepared, order.workspaces);
}
