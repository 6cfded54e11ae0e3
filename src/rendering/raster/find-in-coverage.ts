/** Returns the values of a coverage at a point of a map, as the attributes of a feature without a geometry. */
import type { FeatureTypeDescription } from '../../vector/port/port.ts';
import type { FoundFeatures, MapPointQuery } from '../request/found-features.ts';
import type { CoverageLayer } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { listRasterSymbolizers } from './coverage-layer.ts';

/** Returns nothing if the style shows nothing at this scale, or the point has no data. */
export async function findInCoverage(
  layer: CoverageLayer,
  { frame, system, scaleDenominator }: MapSettings,
  { x, y, count }: Pick<MapPointQuery, 'x' | 'y' | 'count'>,
  signal: AbortSignal,
): Promise<FoundFeatures> {
  const { source, style } = layer;
  const description = createBandDescription(layer);
  if (count < 1 || listRasterSymbolizers(style, scaleDenominator).length === 0)
    return { layer, description, features: [] };
  const { xx, xy, x0, yx, yy, y0 } = frame;
  const area = xx * yy - xy * yx;
  const place = [(yy * (x - x0) - xy * (y - y0)) / area, (xx * (y - y0) - yx * (x - x0)) / area] as const;
  // The size of a map pixel.
  const [across, down] = [Math.hypot(yy, yx) / Math.abs(area) / 2, Math.hypot(xx, xy) / Math.abs(area) / 2];
  const bounds = {
    minX: place[0] - across,
    minY: place[1] - down,
    maxX: place[0] + across,
    maxY: place[1] + down,
  };
  if (source.find !== undefined) {
    return { layer, ...(await source.find({ bounds, crs: system.reference }, count, signal)) };
  }
  const target = { width: 1, height: 1, bounds };
  const read = await source.read({ target, crs: system.reference, interpolation: 'nearest', values: 'scaled' }, signal);
  const values = read?.bands.map(({ samples, mask }) => (mask?.[0] === 0 ? null : Number(samples[0]))) ?? [];
  const isThere = values.some((value) => value !== null);
  return { layer, description, features: isThere ? [{ id: source.name, values }] : [] };
}

function createBandDescription({ source }: CoverageLayer): FeatureTypeDescription {
  return {
    name: source.name,
    attributes: source.bands.map(({ name, publishedName = name }) => ({
      kind: 'value',
      name: publishedName,
      type: 'double',
      nillable: true,
    })),
  };
}
