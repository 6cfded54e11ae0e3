/** What can be wrong with a request for a tile. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

export const tileProblems = {
  'tile-layer-unknown': defineProblemKind(
    400,
    'There is no layer or layer group of that name, or none that this user may see.',
    (d: { name: string }) => `There are no tiles of '${excerpt(d.name)}'.`,
  ),
  'tile-style-unknown': defineProblemKind(
    400,
    'The layer has no style of that name, and neither has its workspace or the server.',
    (d: { style: string; layer: string }) => `There is no style '${excerpt(d.style)}' for '${excerpt(d.layer)}'.`,
  ),
  'tile-format-unknown': defineProblemKind(
    400,
    'Tiles of the layer are not given in that format.',
    (d: { format: string; formats: readonly string[] }) =>
      `There are no tiles of the format '${excerpt(d.format)}'; there are ${d.formats.join(', ')}.`,
  ),
  'tile-grid-unknown': defineProblemKind(
    400,
    'There is no grid of tiles of that name, or no such level in it.',
    (d: { name: string; known: readonly string[] }) =>
      `There is no '${excerpt(d.name)}' among the grids of tiles; there are ${d.known.join(', ')}.`,
  ),
  'tile-out-of-range': defineProblemKind(
    400,
    'The row or column of a tile leads out of its grid.',
    (d: { value: string; most: number }) =>
      `There is no tile ${excerpt(d.value)}; a number from 0 to ${d.most} was expected.`,
  ),
  'tile-layer-mismatched': defineProblemKind(
    400,
    'A request to make tiles names another layer than its address.',
    (d: { inPath: string; inBody: string }) =>
      `The address is that of '${excerpt(d.inPath)}', and the request names '${excerpt(d.inBody)}'; the same layer was expected, or no name.`,
  ),
  'tiles-not-kept': defineProblemKind(
    409,
    'Tiles cannot be made beforehand where none are kept.',
    () =>
      'No tiles are made beforehand, since this server keeps none: it was started with --tile-cache-mb 0. They are made when somebody asks for them.',
  ),
  'tile-box-unaligned': defineProblemKind(
    400,
    'The box of a map is not that of a tile.',
    (d: { box: string; set: string }) => `The box '${excerpt(d.box)}' is none of a tile in the grid ${d.set}.`,
  ),
} as const;
