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
  'tile-export-unknown': defineProblemKind(
    404,
    'No tile export has that id, or the user does not administer its layers.',
    (d: { id: string }) => `Unknown tile export '${excerpt(d.id)}'. It may have been deleted, or be older than a week.`,
  ),
  'tile-export-refused': defineProblemKind(
    409,
    'The tiles of the layer cannot be exported.',
    (d: { layer: string; reason: string }) =>
      `The tiles of the layer '${excerpt(d.layer)}' cannot be exported: ${d.reason}.`,
  ),
  'tile-export-foreign': defineProblemKind(
    403,
    'The layer group contains layers of workspaces that the user does not administer.',
    (d: { layer: string }) =>
      `The layer group '${excerpt(d.layer)}' contains layers of workspaces that you do not administer. Ask an administrator of the server to export it.`,
  ),
  'tile-export-too-large': defineProblemKind(
    400,
    'A tile export has too many tiles.',
    (d: { tiles: number; limit: number }) =>
      `The export has ${d.tiles} tiles, and the limit is ${d.limit}. Use fewer zooms, or smaller bounds.`,
  ),
  'tile-export-empty': defineProblemKind(
    400,
    'A tile export has no tiles.',
    () =>
      'The export has no tiles, because its bounds are outside of the extent that the tile settings of the layer offer. Use other bounds.',
  ),
  'tile-export-failed': defineProblemKind(
    500,
    'A tile of an export failed.',
    (d: { tile: string; reason: string }) => `The tile ${d.tile} (zoom/column/row) failed: ${d.reason}`,
  ),
  'tile-export-broken': defineProblemKind(
    500,
    'A tile export failed for an unexpected reason.',
    () => 'The export failed for an unexpected reason, which is in the log of the server. Start it again.',
  ),
  'tile-export-interrupted': defineProblemKind(
    500,
    'A tile export was interrupted too often.',
    (d: { attempts: number }) =>
      `The export was interrupted ${d.attempts} times, because the server that wrote it stopped unexpectedly. Start it again.`,
  ),
  'tile-export-beyond-limit': defineProblemKind(
    413,
    'The archive of a tile export exceeds the limit.',
    (d: { limitBytes: number }) =>
      `The archive exceeds ${Math.floor(d.limitBytes / 1_048_576)} MB, which --tile-exports-mb and other archives leave for it (with --storage and without --blobs also --max-stored-upload-mb). Delete other exports, or use fewer zooms or smaller bounds.`,
  ),
  'tile-exports-full': defineProblemKind(
    409,
    'The archives of tile exports have reached their maximum size.',
    (d: { limitBytes: number }) =>
      `The archives of tile exports have reached their maximum size, ${Math.floor(d.limitBytes / 1_048_576)} MB. Delete exports, or increase --tile-exports-mb.`,
  ),
  'tile-exports-too-many': defineProblemKind(
    409,
    'The maximum number of tile exports exists.',
    (d: { limit: number }) =>
      `${d.limit} tile exports exist, which is the maximum. Delete exports before you start another.`,
  ),
  'tile-export-state': defineProblemKind(
    409,
    'The state of a tile export does not permit the operation.',
    (d: { state: string; allowed: string }) => `The export is ${d.state}. The operation requires: ${d.allowed}.`,
  ),
  'tile-export-file-missing': defineProblemKind(
    404,
    'The archive of a tile export was purged.',
    () =>
      'The archive does not exist any more: its bytes were purged, or are missing in a restored backup. Export the tiles again.',
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
