/** Returns the values of a coverage at a point of a map, as the attributes of a feature without a geometry. */
import type { ColorMap, RasterSymbolizer } from '../../styling/model/model.ts';
import type { FeatureTypeDescription } from '../../vector/port/port.ts';
import type { FoundFeatures, MapPointQuery } from '../request/found-features.ts';
import type { CoverageLayer, DrawnBand } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { bindVariables } from '../rules/bind-style.ts';
import { findOptionText } from '../rules/style-plan.ts';
import { selectBands } from './band-selection.ts';
import { findEntryLabel } from './color-lookup.ts';
import { listRasterSymbolizers } from './coverage-layer.ts';

/** Returns nothing if the style shows nothing at this scale, or the point has no data. */
export async function findInCoverage(
  layer: CoverageLayer,
  settings: MapSettings,
  { x, y, count }: Pick<MapPointQuery, 'x' | 'y' | 'count'>,
  signal: AbortSignal,
): Promise<FoundFeatures> {
  const { frame, system } = settings;
  const { source } = layer;
  const symbolizers = listBoundSymbolizers(layer, settings);
  const description = createBandDescription(layer);
  if (count < 1 || symbolizers.length === 0) return { layer, description, features: [] };
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
  const overlap = symbolizers.at(-1)?.overlapBehavior;
  const readValues = async (kind: 'stored' | 'scaled'): Promise<readonly (number | null)[]> => {
    const target = { width: 1, height: 1, bounds };
    const request = { target, crs: system.reference, interpolation: 'nearest', values: kind, overlap } as const;
    const read = await source.read(request, signal);
    return read?.bands.map(({ samples, mask }) => (mask?.[0] === 0 ? null : Number(samples[0]))) ?? [];
  };
  const values = await readValues('scaled');
  if (values.every((value) => value === null)) return { layer, description, features: [] };
  const labels = listLabels(symbolizers, source.bands);
  if (labels.length === 0) return { layer, description, features: [{ id: source.name, values }] };
  // Colour maps are for stored values.
  const stored = await readValues('stored');
  return {
    layer,
    ...addLabels(description, values, labels, ({ bandIndex, colorMap }) => {
      const value = stored[bandIndex] ?? null;
      return value === null ? null : (findEntryLabel(colorMap, settings.variables, value) ?? null);
    }),
  };
}

function listBoundSymbolizers({ style }: CoverageLayer, { scaleDenominator, variables }: MapSettings) {
  return listRasterSymbolizers(style, scaleDenominator).map((each) => bindVariables(each, variables));
}

/** A label of a colour map that is returned with the value of a band, or instead of it. */
interface ValueLabel {
  readonly bandIndex: number;
  readonly colorMap: ColorMap;
  /** The name of its attribute. */
  readonly name: string;
  readonly isReplacing: boolean;
}

/** Reads the options `labelInFeatureInfo` and `labelAttributeName`. */
function listLabels(symbolizers: readonly RasterSymbolizer[], bands: readonly DrawnBand[]): readonly ValueLabel[] {
  const labels = symbolizers.flatMap((symbolizer): readonly ValueLabel[] => {
    const { colorMap, vendorOptions } = symbolizer;
    const mode = findOptionText(vendorOptions, 'labelInFeatureInfo')?.toLowerCase();
    const shown = selectBands(symbolizer, bands);
    if (colorMap === undefined || shown?.kind !== 'single' || (mode !== 'add' && mode !== 'replace')) return [];
    const { bandIndex } = shown.value;
    const given = findOptionText(vendorOptions, 'labelAttributeName');
    const band = bands[bandIndex];
    const name = given || `Label_${band?.publishedName ?? band?.name ?? ''}`;
    return [{ bandIndex, colorMap, name, isReplacing: mode === 'replace' }];
  });
  const kept = bands.filter((_, index) => !isReplaced(labels, index)).map((band) => band.publishedName ?? band.name);
  const renamed = labels.map((label) => ({ ...label, name: findFreeName(label.name, kept) }));
  // The upper one of several symbolizers is visible.
  return [...new Map(renamed.map((label) => [label.name, label])).values()];
}

function isReplaced(labels: readonly ValueLabel[], index: number): boolean {
  return labels.some(({ bandIndex, isReplacing }) => isReplacing && bandIndex === index);
}

/** A label with the name of a band would hide its value. */
function findFreeName(name: string, bands: readonly string[]): string {
  return bands.includes(name) ? findFreeName(`Label_${name}`, bands) : name;
}

function addLabels(
  { attributes, ...described }: FeatureTypeDescription,
  values: readonly (number | null)[],
  labels: readonly ValueLabel[],
  findLabel: (label: ValueLabel) => string | null,
): Pick<FoundFeatures, 'description' | 'features'> {
  const isKept = (_: unknown, index: number) => !isReplaced(labels, index);
  const added = labels.map(({ name }) => ({ kind: 'value', name, type: 'string', nillable: true }) as const);
  return {
    description: { ...described, attributes: [...attributes.filter(isKept), ...added] },
    features: [{ id: described.name, values: [...values.filter(isKept), ...labels.map(findLabel)] }],
  };
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
