/** Problems with raster data. Messages contain file names only: clients must not learn server paths. */
import { defineProblemKind } from '../kind.ts';

export const rasterProblems = {
  'raster-coverage-unknown': defineProblemKind(
    404,
    'The raster data has no coverage of that name.',
    (d: { name: string }) => `The raster data has no coverage named '${d.name}'.`,
  ),
  'raster-file-missing': defineProblemKind(
    400,
    'A file of the raster data does not exist.',
    (d: { file: string }) => `The raster file '${d.file}' does not exist.`,
  ),
  'raster-file-unreadable': defineProblemKind(
    400,
    'A file of the raster data cannot be opened, or is not a file.',
    (d: { file: string; reason: string }) => `The raster file '${d.file}' cannot be read: ${d.reason}.`,
  ),
  'raster-file-truncated': defineProblemKind(
    400,
    'A file of the raster data is truncated.',
    (d: { file: string; sizeBytes: number; expectedBytes: number }) =>
      `The raster file '${d.file}' is truncated: it has ${d.sizeBytes} bytes, but ${d.expectedBytes} were expected.`,
  ),
  'raster-file-malformed': defineProblemKind(
    400,
    'A file of the raster data has invalid content.',
    (d: { file: string; reason: string }) => `The raster file '${d.file}' is not valid: ${d.reason}.`,
  ),
  'raster-file-unsupported': defineProblemKind(
    400,
    'A file of the raster data is valid, but its compression or layout is not supported.',
    (d: { file: string; reason: string }) => `The raster file '${d.file}' is not supported: ${d.reason}.`,
  ),
  'raster-type-not-remote': defineProblemKind(
    400,
    'The type of the store reads files of the server only, but its location is a URL of another server.',
    (d: { type: string; types: readonly string[]; field: string }) =>
      `Stores of the type ${d.type} cannot read data of other servers. Use the type ${d.types.join(' or ')}, or upload the data.`,
  ),
  'raster-window-invalid': defineProblemKind(
    400,
    'The requested part is outside of the coverage.',
    (d: { name: string; reason: string }) => `This part of the coverage '${d.name}' cannot be read: ${d.reason}.`,
  ),
  'raster-window-too-large': defineProblemKind(
    400,
    'The requested part of a coverage exceeds the memory limit of one read.',
    (d: { name: string; megabytes: number }) =>
      `This part of the coverage '${d.name}' exceeds the limit of ${d.megabytes} MB for one read. Request a smaller part, or a coarser resolution.`,
  ),
  'raster-too-many-granules': defineProblemKind(
    400,
    'An image of a mosaic would require more granules than the limit.',
    (d: { most: number }) =>
      `More than ${d.most} granules of the mosaic are in this box. Request a smaller box, or add a time or a filter.`,
  ),
  'mosaic-definition-invalid': defineProblemKind(
    400,
    'A file of a mosaic definition is invalid. The message names the key and the line.',
    (d: { file: string; line: number; key: string; reason: string }) =>
      `The mosaic definition is not valid: '${d.key}' in ${d.file}, line ${d.line}: ${d.reason}.`,
  ),
} as const;
