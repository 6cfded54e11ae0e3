/** The layers of a map that show coverages: asks for the samples that a style looks at, and has them painted. */
import type { GridTransform } from '../../data/raster/port.ts';
import type { TargetPicture } from '../../data/raster/warp/places.ts';
import type { RasterSymbolizer, UserStyle } from '../../styling/model.ts';
import { withVariables } from '../bound-style.ts';
import { type Frame, seenBox } from '../frame.ts';
import type { CoverageLayer } from '../map-request.ts';
import type { MapSettings } from '../map-settings.ts';
import { isInScale, type Laying, layingOf } from '../style-plan.ts';
import type { RasterPainting, RasterSamples } from './paint-raster.ts';
import { placesToRead, shownBands } from './shown-bands.ts';

/** Samples for each pixel of the map with what each symbolizer makes of them, from below to above. */
export async function* coveragePaintings(
  { source, style, interpolation = 'nearest' }: CoverageLayer,
  { request, frame, system, scaleDenominator, variables }: MapSettings,
  signal: AbortSignal,
): AsyncGenerator<RasterPainting> {
  const metresPerPixel = ((frame.box.maxX - frame.box.minX) * system.metresPerUnit) / frame.width;
  for (const { symbolizer, laying } of laidSymbolizers(style, scaleDenominator)) {
    const bound = withVariables(symbolizer, variables);
    const shown = shownBands(bound, source.bands);
    if (shown === undefined) continue;
    const bands = placesToRead(shown);
    const target = targetOf(frame, request.angle ?? 0);
    const picture = await source.read({ target, crs: system.reference, bands, interpolation }, signal);
    if (picture === undefined) continue;
    const read = bands.flatMap((place, index) => {
      const band = picture.bands[index];
      return band === undefined ? [] : [[place, { ...band, described: picture.described[index] }] as const];
    });
    const raster: RasterSamples = { width: picture.width, height: picture.height, bands: new Map(read) };
    yield { raster, symbolizer: bound, shown, laying, variables, metresPerPixel };
  }
}

export function rasterSymbolizers(style: UserStyle, scaleDenominator: number): readonly RasterSymbolizer[] {
  return laidSymbolizers(style, scaleDenominator).map(({ symbolizer }) => symbolizer);
}

interface LaidSymbolizer {
  readonly symbolizer: RasterSymbolizer;
  readonly laying: Laying;
}

/** Rules of rasters have nothing to choose by but the scale. */
function laidSymbolizers(style: UserStyle, scaleDenominator: number): readonly LaidSymbolizer[] {
  return style.featureTypeStyles.flatMap((each) => {
    const laying = layingOf(each);
    return each.rules
      .filter((rule) => isInScale(rule, scaleDenominator))
      .flatMap(({ symbolizers }) => symbolizers.filter((symbolizer) => symbolizer.kind === 'rasterSymbolizer'))
      .map((symbolizer, index) => ({
        symbolizer,
        // What follows lies on the base that the first has begun.
        laying: index > 0 && laying.isBase ? { blend: undefined, isBase: false } : laying,
      }));
  });
}

function targetOf(frame: Frame, angle: number): TargetPicture {
  const { width, height, box } = frame;
  if (angle === 0) return { width, height, bounds: box };
  return { width, height, bounds: seenBox(frame, 0), transform: placeOf(frame) };
}

/** The way back from pixels. */
function placeOf({ xx, xy, x0, yx, yy, y0 }: Frame): GridTransform {
  const area = xx * yy - xy * yx;
  return {
    originX: (xy * y0 - yy * x0) / area,
    columnX: yy / area,
    rowX: -xy / area,
    originY: (yx * x0 - xx * y0) / area,
    columnY: -yx / area,
    rowY: xx / area,
  };
}
