/** What can be wrong with raster data. Files go by their name: where they lie is nobody's business. */
import { defineProblemKind } from '../kind.ts';

export const rasterProblems = {
  'raster-coverage-unknown': defineProblemKind(
    404,
    'The raster data has no coverage of that name.',
    (d: { name: string }) => `The raster data has no coverage named '${d.name}'.`,
  ),
  'raster-file-missing': defineProblemKind(
    400,
    'A file of the raster data is not there.',
    (d: { file: string }) => `The raster file '${d.file}' does not exist.`,
  ),
  'raster-file-unreadable': defineProblemKind(
    400,
    'A file of the raster data cannot be opened, or is no file.',
    (d: { file: string; reason: string }) => `The raster file '${d.file}' cannot be read: ${d.reason}.`,
  ),
  'raster-file-truncated': defineProblemKind(
    400,
    'A file of the raster data ends before its content does.',
    (d: { file: string; sizeBytes: number; expectedBytes: number }) =>
      `The raster file '${d.file}' is cut off: it has ${d.sizeBytes} bytes, but ${d.expectedBytes} were expected.`,
  ),
  'raster-file-malformed': defineProblemKind(
    400,
    'A file of the raster data says what cannot be.',
    (d: { file: string; reason: string }) => `The raster file '${d.file}' is not valid: ${d.reason}.`,
  ),
  'raster-file-unsupported': defineProblemKind(
    400,
    'A file of the raster data is valid, but is packed or laid out in a way that is not read here.',
    (d: { file: string; reason: string }) =>
      `The raster file '${d.file}' is of a kind that is not supported: ${d.reason}.`,
  ),
  'raster-window-invalid': defineProblemKind(
    400,
    'The part that was asked for is not in the coverage.',
    (d: { name: string; reason: string }) => `This part of the coverage '${d.name}' cannot be read: ${d.reason}.`,
  ),
  'raster-window-too-large': defineProblemKind(
    400,
    'The part that was asked for needs more memory than there is for one reading.',
    (d: { name: string; megabytes: number }) =>
      `This part of the coverage '${d.name}' is larger than the ${d.megabytes} MB that are read at once. Ask for less, or for a coarser resolution.`,
  ),
  'raster-too-many-granules': defineProblemKind(
    400,
    'A picture of a mosaic would take more granules than are read for one.',
    (d: { most: number }) =>
      `More than ${d.most} granules of the mosaic lie in this box. Ask for a smaller one, or name a time or a filter.`,
  ),
  'mosaic-definition-invalid': defineProblemKind(
    400,
    'A file that defines a mosaic says something that cannot be; the key and the line are named.',
    (d: { file: string; line: number; key: string; reason: string }) =>
      `The mosaic definition is not valid: '${d.key}' in ${d.file}, line ${d.line}: ${d.reason}.`,
  ),
} as const;
