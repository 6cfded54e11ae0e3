/** Reverts predictors, which store differences instead of values for better compression. */
import { createSamplesView } from '../port/samples.ts';
import { computeRowBytes, countSamplesPerBlockPixel, type TiffImage } from './tiff-image.ts';

/** Works in place. */
export function undoPredictor(image: TiffImage, bytes: Uint8Array, height: number): void {
  const stride = computeRowBytes(image);
  for (let row = 0; row < height; row += 1) {
    const line = bytes.subarray(row * stride, (row + 1) * stride);
    if (image.predictor === 2) sumDifferences(line, image.bits, countSamplesPerBlockPixel(image));
    if (image.predictor === 3) joinBytes(line, image.bits / 8, countSamplesPerBlockPixel(image));
  }
}

/** Each sample is the difference from the pixel on its left, in integers that overflow. */
function sumDifferences(line: Uint8Array, bits: number, perPixel: number): void {
  if (bits === 64) {
    const values = createSamplesView('uint64', line) as BigUint64Array;
    for (let at = perPixel; at < values.length; at += 1)
      values[at] = (values[at] ?? 0n) + (values[at - perPixel] ?? 0n);
    return;
  }
  const values =
    bits === 8
      ? line
      : bits === 16
        ? (createSamplesView('uint16', line) as Uint16Array)
        : (createSamplesView('uint32', line) as Uint32Array);
  for (let at = perPixel; at < values.length; at += 1) values[at] = (values[at] ?? 0) + (values[at - perPixel] ?? 0);
}

/**
 * The bytes of a row are differences, grouped by significance: first all the highest bytes, then the next, and so on.
 */
function joinBytes(line: Uint8Array, size: number, perPixel: number): void {
  for (let at = perPixel; at < line.length; at += 1) line[at] = (line[at] ?? 0) + (line[at - perPixel] ?? 0);
  const apart = new Uint8Array(line);
  const count = line.length / size;
  for (let index = 0; index < count; index += 1) {
    for (let byte = 0; byte < size; byte += 1) line[index * size + byte] = apart[byte * count + index] ?? 0;
  }
}
