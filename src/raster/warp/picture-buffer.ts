/** The samples of a target image, which are filled part by part. */
import type { CoverageDescription, RasterSize, WindowRequest } from '../port/port.ts';
import { createSamples, type Samples, type SampleType } from '../port/samples.ts';

/** Samples that can be overlaid with others. */
export interface MutableBand {
  readonly samples: Samples;
  readonly mask: Uint8Array;
}

export interface PictureBuffer extends RasterSize {
  readonly bandPlaces: readonly number[];
  readonly bands: readonly MutableBand[];
}

/** Creates an image without data. */
export function createEmptyPicture(
  { bands }: Pick<CoverageDescription, 'bands'>,
  { width, height }: RasterSize,
  request: Pick<WindowRequest, 'bands' | 'values'>,
): PictureBuffer {
  const bandPlaces = request.bands ?? bands.map((_, index) => index);
  return {
    width,
    height,
    bandPlaces,
    bands: bandPlaces.map((place) => {
      const stored = bands[place]?.type ?? 'float64';
      const type = request.values === 'scaled' ? toScaledType(stored) : stored;
      return { samples: createSamples(type, width * height), mask: new Uint8Array(width * height) };
    }),
  };
}

/** Returns the type of scaled values in `read`. */
function toScaledType(type: SampleType): SampleType {
  return type === 'float32' || type === 'uint8' || type === 'int8' ? 'float32' : 'float64';
}
