/** The names of formats in WCS 1.0.0, the native one first. Media types are accepted as well. */
import type { CoverageFormat } from '../coverage/coverage-formats.ts';

export const formatNames: readonly (readonly [name: string, format: CoverageFormat])[] = [
  ['GeoTIFF', 'tiff'],
  ['PNG', 'png'],
  ['JPEG', 'jpeg'],
  ['GML', 'gml'],
  ['COG', 'cog'],
];
