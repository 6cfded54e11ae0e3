/** The layers of a map that show coverages: asks for the samples that a style looks at, and has them painted. */
import type { GridTransform } from '../../data/raster/port.ts';
import type { TargetPicture } from '../../data/raster/warp/places.ts';
import type { RasterSymbolizer, UserStyle } from '../../styling/model.ts';
import { withVariables } from '../bound-style.ts';
import { type Frame, seenBox } from '../frame.ts';
import type { CoverageLayer } from '../map-request.ts';
import type { MapSettings } from '../map-settings.ts';
import { isInScale } from '../style-plan.ts';
import { paintRaster, type RasterSamples } from './paint-raster.ts';
import { placesToRead, shownBands } from './shown-bands.ts';

/** A picture of the size of the map for each symbolizer, from below to above; colours are not times the opacity. */
export async function* coveragePictures(
  { source, style, interpolation = 'nearest' }: CoverageLayer,
  { request, frame, system, scaleDenominator, variables }: MapSettings,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const metresPerPixel = ((frame.box.maxX - frame.box.minX) * system.metresPerUnit) / frame.width;
  for (const symbolizer of rasterSymbolizers(style, scaleDenominator)) {
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
    yield paintRaster(raster, bound, shown, variables, metresPerPixel);
  }
}

/** Rules of rasters have nothing to choose by but the scale. */
export function rasterSymbolizers(style: UserStyle, scaleDenominator: number): readonly RasterSymbolizer[] {
  return style.featureTypeStyles.flatMap(({ rules }) =>
    rules
      .filter((rule) => isInScale(rule, scaleDenominator))
      .flatMap(({ symbolizers }) => symbolizers.filter((each) => each.kind === 'rasterSymbolizer')),
  );
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
