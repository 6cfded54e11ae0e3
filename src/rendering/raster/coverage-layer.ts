/** Draws the coverage layers of a map: reads the samples that a style needs, and paints them. */
import { isForLegendsOnly } from '../../styling/model/inclusion.ts';
import type { RasterSymbolizer, UserStyle } from '../../styling/model/model.ts';
import { readBlend } from '../rasterizer/blend.ts';
import type { CoverageLayer, MapRequest } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { bindVariables } from '../rules/bind-style.ts';
import { readComposite } from '../rules/split-by-composite.ts';
import { type Compositing, isInScale, readCompositing } from '../rules/style-plan.ts';
import { type Frame, METRES_PER_DEGREE } from '../shapes/frame.ts';
import type { MapSystem } from '../shapes/map-area.ts';
import { findMissingBand, listBandIndexes, selectBands } from './band-selection.ts';
import type { RasterPainting, RasterSamples } from './paint-raster.ts';
import type { PixelGround } from './shaded-relief.ts';
import { createTargetPicture } from './target-picture.ts';

/** Yields the samples for each pixel of the map with their symbolizer, from bottom to top. */
export async function* createCoveragePaintings(
  { source, style, interpolation = 'nearest' }: CoverageLayer,
  { request, frame, system, scaleDenominator, variables }: MapSettings,
  signal: AbortSignal,
): AsyncGenerator<RasterPainting> {
  const ground = measureGround(frame, system);
  for (const { symbolizer, laying } of listCompositedSymbolizers(style, scaleDenominator)) {
    const bound = bindVariables(symbolizer, variables);
    const shown = selectBands(bound, source.bands);
    if (shown === undefined) {
      reportMissingBand(bound, source, request.onMissingBand);
      continue;
    }
    const bands = listBandIndexes(shown);
    const target = createTargetPicture(frame, request.angle ?? 0);
    const { overlapBehavior: overlap } = bound;
    const picture = await source.read({ target, crs: system.reference, bands, interpolation, overlap }, signal);
    if (picture === undefined) continue;
    const read = bands.flatMap((place, index) => {
      const band = picture.bands[index];
      return band === undefined ? [] : [[place, { ...band, described: picture.described[index] }] as const];
    });
    const raster: RasterSamples = { width: picture.width, height: picture.height, bands: new Map(read) };
    yield { raster, symbolizer: bound, shown, laying, variables, ground };
  }
}

function reportMissingBand(
  symbolizer: RasterSymbolizer,
  { name, bands }: CoverageLayer['source'],
  report: MapRequest['onMissingBand'],
): void {
  const band = findMissingBand(symbolizer, bands);
  const names = bands.map((each, index) => each.publishedName ?? each.name ?? String(index + 1));
  if (band !== undefined) report?.({ coverage: name, band, bands: names });
}

function measureGround({ box, width, height }: Frame, { metresPerUnit, isGeographic }: MapSystem): PixelGround {
  const degrees = metresPerUnit / METRES_PER_DEGREE;
  return {
    width: ((box.maxX - box.minX) * metresPerUnit) / width,
    height: ((box.maxY - box.minY) * metresPerUnit) / height,
    ...(isGeographic ? { latitudes: { top: box.maxY * degrees, bottom: box.minY * degrees } } : {}),
  };
}

export function listRasterSymbolizers(style: UserStyle, scaleDenominator: number): readonly RasterSymbolizer[] {
  return listCompositedSymbolizers(style, scaleDenominator).map(({ symbolizer }) => symbolizer);
}

interface CompositedSymbolizer {
  readonly symbolizer: RasterSymbolizer;
  readonly laying: Compositing;
}

/** Rules of rasters are selected by scale only. */
function listCompositedSymbolizers(style: UserStyle, scaleDenominator: number): readonly CompositedSymbolizer[] {
  return style.featureTypeStyles
    .filter((each) => !isForLegendsOnly(each))
    .flatMap((each) => {
      const laying = readCompositing(each);
      return each.rules
        .filter((rule) => isInScale(rule, scaleDenominator) && !isForLegendsOnly(rule))
        .flatMap(({ symbolizers }) => symbolizers.filter((symbolizer) => symbolizer.kind === 'rasterSymbolizer'))
        .filter((symbolizer) => !isForLegendsOnly(symbolizer))
        .map((symbolizer, index) => {
          // Further symbolizers are painted on the base that the first one started.
          const inherited = index > 0 && laying.isBase ? { blend: undefined, isBase: false } : laying;
          const blend = readBlend(readComposite(symbolizer));
          return { symbolizer, laying: blend === undefined ? inherited : { ...inherited, blend } };
        });
    });
}
