/** Finds the stored image of a tile that would look the same if it were drawn. */
import { coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import { tileArchiveTypes } from '../../raster/drivers.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import type { TileFormat } from '../../tiles/tile-format.ts';
import { computeTileBounds, getMatrix, type TileAddress, type TileMatrixSet } from '../../tiles/tile-matrix-set.ts';
import { findExactTile } from '../../vector/tile-archives/tile-pixels.ts';
import { findLayerStyle } from '../access/map-styles.ts';
import { isCoverage } from '../access/open-coverage.ts';
import type { StyledLayer } from '../access/published-map.ts';
import type { MapServices } from '../maps/map-services.ts';
import { loadReadyStyle } from '../maps/style-models.ts';
import { pixelRatioParameter } from './pixel-ratio.ts';
import type { TileOptions } from './tile-options.ts';

interface RequestedTile {
  readonly set: TileMatrixSet;
  readonly address: TileAddress;
  readonly format: TileFormat;
  readonly wishes: TileOptions;
}

/** Returns undefined if the tile must be drawn. */
export async function readStoredTile(
  services: MapServices,
  { set, address, format, wishes }: RequestedTile,
  layers: readonly StyledLayer[],
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const [only, ...others] = layers;
  if (only === undefined || others.length > 0 || format.isVector || set.crs.code !== 'EPSG:3857') return undefined;
  const { resource, restriction } = only.layer;
  if (!isCoverage(resource) || !tileArchiveTypes.has(resource.nativeFormat) || restriction !== undefined) {
    return undefined;
  }
  // Options of requests change the image.
  const written = Object.keys({ ...wishes.written.layer, ...wishes.written.look });
  if (written.some((name) => name !== pixelRatioParameter.name)) return undefined;
  if (resource.srs !== 'EPSG:3857' || changesSamples(resource.parameters)) return undefined;
  const position = findExactTile(computeTileBounds(set, address));
  if (position === undefined || !(await isDrawnUnchanged(services, only))) return undefined;
  const store = await services.catalog.get(coverageStoreKind, resource.parent ?? '');
  const stored = store && (await services.rasterData.readStoredPicture({ store }, position, signal));
  const { tileWidth, tileHeight } = getMatrix(set, address.level);
  const isSameSize =
    stored?.width === tileWidth * wishes.pixelRatio && stored.height === tileHeight * wishes.pixelRatio;
  return isSameSize && stored.format === format.name ? stored.bytes : undefined;
}

/** The read parameters that make samples transparent. */
const transparencyParameters: ReadonlySet<string> = new Set([
  'inputtransparentcolor',
  'outputtransparentcolor',
  'backgroundvalues',
  'footprintbehavior',
]);

function changesSamples(parameters: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).some(
    ([name, value]) => value.trim() !== '' && transparencyParameters.has(name.toLowerCase()),
  );
}

async function isDrawnUnchanged(services: MapServices, { layer, style }: StyledLayer): Promise<boolean> {
  const chosen = await findLayerStyle(services.catalog, layer, style);
  // A style that cannot be drawn is reported when the tile is drawn.
  const ready = chosen && (await loadReadyStyle(services, chosen, layer).catch(() => undefined));
  return ready !== undefined && isPlainRasterStyle(ready.model);
}

/** Returns whether a style draws a raster in its own colors at all scales, as the built-in style does. */
function isPlainRasterStyle({ featureTypeStyles, background, remoteStyles }: UserStyle): boolean {
  const [only, ...others] = featureTypeStyles;
  const [rule, ...otherRules] = only?.rules ?? [];
  const [symbolizer, ...otherSymbolizers] = rule?.symbolizers ?? [];
  if (only === undefined || rule === undefined || symbolizer?.kind !== 'rasterSymbolizer') return false;
  if (others.length + otherRules.length + otherSymbolizers.length > 0) return false;
  const { opacity, kind: _kind, name: _name, title: _title, abstract: _abstract, ...settings } = symbolizer;
  const isOpaque = opacity === undefined || (opacity.kind === 'literal' && Number(opacity.value) === 1);
  const limits = [rule.filter, rule.minScaleDenominator, rule.maxScaleDenominator, rule.vendorOptions];
  const parts = [background, remoteStyles, only.transformation, only.vendorOptions, only.remoteRules];
  const extras = [...parts, ...limits, ...Object.values(settings)];
  return isOpaque && extras.every((each) => each === undefined);
}
