/** Finds the palette of a map: a built-in one, or a file below `palettes` of the data directory. */
import { PALETTE_FOLDER } from '../../../catalog/kinds/style.ts';
import { findStyleFile } from '../../../catalog/styles/style-view.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { findPalette, paletteNames } from '../../../rendering/output/palette.ts';
import { paletteExtensions, readPalette } from '../../../rendering/output/palette-file.ts';
import type { Color } from '../../../rendering/request/map-request.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import type { WmsContext } from '../context/context.ts';
import type { MapEncoding } from '../context/map-formats.ts';
import { mapFormatOptions } from '../request/parameters.ts';
import type { RequestedMap } from '../request/request.ts';

/** Returns whether a format has at most 256 colours. */
function isPaletted(encoding: MapEncoding): boolean {
  return encoding === 'png8' || encoding === 'gif' || encoding === 'animated-gif';
}

/** How colours are reduced to those of a format. */
export async function resolveColorReduction(
  context: WmsContext,
  map: RequestedMap,
  encoding: MapEncoding,
): Promise<Pick<MapToDraw, 'palette' | 'hasBinaryOpacity'>> {
  const palette = await loadMapPalette(context, map, encoding);
  const quantizer = readParameter(map.formatOptions, mapFormatOptions.parameters.quantizer);
  return { palette, hasBinaryOpacity: isPaletted(encoding) && quantizer === 'octree' };
}

/** Returns undefined for a map with any colours. */
async function loadMapPalette(
  context: WmsContext,
  { palette: name, isTransparent }: Pick<RequestedMap, 'palette' | 'isTransparent'>,
  encoding: MapEncoding,
): Promise<readonly Color[] | undefined> {
  if (name === undefined) return undefined;
  const palette = findPalette(name) ?? (await loadUploadedPalette(context, name.trim()));
  if (palette === undefined) {
    const expected = `expected ${paletteNames.join(', ')} or the name of a file below /rest/resource/palettes`;
    throw problem('ows-parameter-invalid', { parameter: 'palette', value: excerpt(name), expected, field: 'palette' });
  }
  if (!isPaletted(encoding)) {
    context.warn("The parameter 'palette' is ignored. It applies to image/png8 and image/gif only.");
    return undefined;
  }
  // Transparent pixels need one of the 256 entries.
  return isTransparent ? palette.slice(0, 255) : palette;
}

async function loadUploadedPalette(
  { services: { catalog, styles } }: WmsContext,
  name: string,
): Promise<readonly Color[] | undefined> {
  for (const extension of ['', ...paletteExtensions]) {
    const file = await findStyleFile(catalog, null, `${PALETTE_FOLDER}/${name}${extension}`);
    if (file !== undefined) return readPalette(file.path, await styles.contents.read(file.content));
  }
  return undefined;
}
