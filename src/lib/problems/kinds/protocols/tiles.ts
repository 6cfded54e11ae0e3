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
  'tile-outside-extent': defineProblemKind(
    400,
    'The tile is outside of the extent that the tile settings of the layer offer.',
    (d: { value: number; least: number; most: number; set: string }) =>
      `The tile row or column ${d.value} is outside of the extent of the layer in ${excerpt(d.set)}. Expected a number from ${d.least} to ${d.most}.`,
  ),
  'tile-parameter-rejected': defineProblemKind(
    400,
    'A parameter filter of the tile settings rejects the value of a parameter.',
    (d: { parameter: string; value: string; expected: string }) =>
      `The tile settings of the layer reject the value '${d.value}' of ${excerpt(d.parameter)}: ${d.expected}.`,
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
      'Tiles cannot be seeded, because the tile cache is disabled (--tile-cache-mb 0, or the setting tileCacheMb of WMTS). Tiles are drawn when they are requested. Set a limit at /gwc/rest/diskquota.',
  ),
  'tile-store-unknown': defineProblemKind(
    404,
    'No tile store has that name. The server has one, a folder of the data directory.',
    (d: { name: string; known: string }) => `Unknown tile store '${excerpt(d.name)}'. The server has one: ${d.known}.`,
  ),
  'tile-store-fixed': defineProblemKind(
    400,
    'Tile stores cannot be created, changed or deleted. The server has one, a folder of the data directory.',
    (d: { name: string }) =>
      `The tile store '${excerpt(d.name)}' cannot be created, changed or deleted. The server has one, the folder tile-cache of the data directory: mount another volume there to move it, and set its size at /gwc/rest/diskquota.`,
  ),
  'tile-grid-without-tms': defineProblemKind(
    400,
    'The levels of a tile matrix set have different lower left corners or tile sizes, which TMS documents cannot express.',
    (d: { set: string }) =>
      `TMS cannot describe the tile matrix set '${excerpt(d.set)}', because its levels differ in their lower left corner or tile size. Use WMTS or OGC API Tiles.`,
  ),
  'tile-box-unaligned': defineProblemKind(
    400,
    'The box of a map is not aligned with a tile.',
    (d: { box: string; set: string }) =>
      `The box '${excerpt(d.box)}' is not aligned with a tile of the tile matrix set ${d.set}.`,
  ),
} as const;
