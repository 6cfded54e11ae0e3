/** Problems with requests for tiles. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

export const tileProblems = {
  'tile-layer-unknown': defineProblemKind(
    400,
    'No layer or layer group has that name, or the user has no access to it.',
    (d: { name: string }) => `Unknown layer '${excerpt(d.name)}'.`,
  ),
  'tile-style-unknown': defineProblemKind(
    400,
    'Neither the layer, nor its workspace, nor the server has a style of that name.',
    (d: { style: string; layer: string }) => `Unknown style '${excerpt(d.style)}' for the layer '${excerpt(d.layer)}'.`,
  ),
  'tile-format-unknown': defineProblemKind(
    400,
    'Tiles of the layer are not available in that format.',
    (d: { format: string; formats: readonly string[] }) =>
      `Unsupported tile format '${excerpt(d.format)}'. Supported formats: ${d.formats.join(', ')}.`,
  ),
  'tile-grid-unknown': defineProblemKind(
    400,
    'No tile matrix set has that name, or it has no such level.',
    (d: { name: string; known: readonly string[] }) =>
      `Unknown tile matrix set or level '${excerpt(d.name)}'. Supported: ${d.known.join(', ')}.`,
  ),
  'tile-out-of-range': defineProblemKind(
    400,
    'The row or column of a tile is outside of its tile matrix set.',
    (d: { value: string; most: number }) =>
      `The tile row or column ${excerpt(d.value)} is out of range. Expected a number from 0 to ${d.most}.`,
  ),
  'tile-layer-mismatched': defineProblemKind(
    400,
    'A seed request and its path name different layers.',
    (d: { inPath: string; inBody: string }) =>
      `The path names the layer '${excerpt(d.inPath)}', but the request names '${excerpt(d.inBody)}'. Name the same layer, or omit the name in the request.`,
  ),
  'tiles-not-kept': defineProblemKind(
    409,
    'Tiles cannot be seeded, because the tile cache is disabled.',
    () =>
      'Tiles cannot be seeded, because the tile cache is disabled (--tile-cache-mb 0). Tiles are drawn when they are requested.',
  ),
  'tile-box-unaligned': defineProblemKind(
    400,
    'The box of a map is not aligned with a tile.',
    (d: { box: string; set: string }) =>
      `The box '${excerpt(d.box)}' is not aligned with a tile of the tile matrix set ${d.set}.`,
  ),
} as const;
