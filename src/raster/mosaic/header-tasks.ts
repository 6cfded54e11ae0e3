/** The tasks of a harvest in a thread: reading headers and collecting values. */

import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { RangeChannel } from '../../remote/channel.ts';
import { parseRemoteUrl } from '../../remote/remote-url.ts';
import type { Task } from '../../workers/task.ts';
import { findDriverForFile, geotiffDriver, netcdfDriver, openRasterSource } from '../drivers.ts';
import type { RasterDriver } from '../port/driver.ts';
import type { CoverageDescription, CoverageDimension } from '../port/port.ts';
import { type CollectedValues, CollectorError, createNameReader, createValueCollector } from './collect-values.ts';
import type { MosaicDefinition } from './definition.ts';
import { findCoverageNameFault, formatExcerpt } from './definition-error.ts';
import type { MatchedNames } from './match-names.ts';

export interface HeaderRequest {
  readonly definition: MosaicDefinition;
  /** The coverage name of images if the definition has none. */
  readonly defaultName: string;
  /** In ISO 8601. */
  readonly now: string;
  /** The names of coverages that need no description. */
  readonly known: readonly string[];
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** The values of expressions with look-around in these names. */
  readonly matched: MatchedNames;
  /** Reads remote files. */
  readonly channel?: RangeChannel;
}

export interface HeaderReply {
  /** One for each file, in order. */
  readonly files: readonly FileHeader[];
  /** The systems that headers refer to by index: most files have the same. */
  readonly systems: readonly CrsReference[];
}

/** A reason completes a sentence about the file. */
export type FileHeader =
  | { readonly reason: string }
  | {
      readonly coverages: readonly CoverageHeader[];
      /** A sentence for each skipped part of the file; usually empty. */
      readonly warnings: readonly string[];
    };

/** The header of a file for one coverage of the mosaic. */
export interface CoverageHeader {
  readonly coverage: string;
  /** The index in the systems of the reply. */
  readonly system: number;
  /** The x and y values of the outline, upwards from the lower left corner if the grid is not rotated; not closed. */
  readonly outline: readonly number[];
  /** The sample types, separated by commas. */
  readonly bandTypes: string;
  readonly values: CollectedValues;
  readonly dimensions: readonly CoverageDimension[];
  /** The index of its first image, counted over all variables of the file. */
  readonly firstImage: number;
  readonly isMultidimensional: boolean;
  /** For coverages that are not known yet. */
  readonly description?: CoverageDescription;
}

const module = import.meta.url;

export const readMosaicHeadersTask: Task<HeaderRequest, HeaderReply> = {
  module,
  name: 'readMosaicHeaders',
  work: readMosaicHeaders,
};

/** To abort, the pool ends the thread. */
const neverAborted = new AbortController().signal;

export async function readMosaicHeaders(request: HeaderRequest): Promise<HeaderReply> {
  const reader = createReader(request);
  const files: FileHeader[] = [];
  for (const file of request.files) files.push(await reader.read(file));
  return { files, systems: reader.systems };
}

function createReader({ definition, defaultName, now, known, matched, channel }: HeaderRequest) {
  const { nameCollector } = definition;
  const collect = createValueCollector(definition.collectors, matched);
  const readName = nameCollector === undefined ? undefined : createNameReader(nameCollector, matched);
  const systems: CrsReference[] = [];
  const systemNumbers = new Map<string, number>();

  const getSystemNumber = (crs: CrsReference): number => {
    const key = `${crs.code ?? ''} ${crs.wkt ?? ''}`;
    const known = systemNumbers.get(key);
    if (known !== undefined) return known;
    systemNumbers.set(key, systems.length);
    return systems.push(crs) - 1;
  };

  /** Returns the coverage name in the mosaic; undefined if the definition excludes it. */
  const findCoverageName = (driver: RasterDriver, source: string, fileName: string): string | undefined => {
    const { coverages } = definition;
    if (driver.type === netcdfDriver.type) {
      if (coverages.length === 0) return source;
      return coverages.find((each) => (each.originalName ?? each.name) === source)?.name;
    }
    const [only, ...others] = coverages;
    const found = readName?.(fileName)[0];
    if (readName !== undefined && found === undefined)
      throw new CollectorError('its name does not contain a coverage name');
    const fault = found === undefined ? undefined : findCoverageNameFault(found);
    if (fault !== undefined) throw new CollectorError(fault);
    const name = found ?? definition.name ?? (others.length === 0 ? only?.name : undefined) ?? defaultName;
    return only === undefined || coverages.some((each) => each.name === name) ? name : undefined;
  };

  const buildHeader = (
    file: { readonly path: string; readonly name: string },
    {
      coverage,
      description,
      driver,
      firstImage,
    }: {
      readonly coverage: string;
      readonly description: CoverageDescription;
      readonly driver: RasterDriver;
      readonly firstImage: number;
    },
  ): CoverageHeader => ({
    coverage,
    system: getSystemNumber(description.grid.crs),
    outline: computeOutline(description),
    bandTypes: description.bands.map(({ type }) => type).join(','),
    values: collect({ ...file, description, now }),
    dimensions: description.dimensions,
    firstImage,
    isMultidimensional: driver.type === netcdfDriver.type,
    ...(known.includes(coverage) ? {} : { description }),
  });

  const read = async (file: { readonly path: string; readonly name: string }): Promise<FileHeader> => {
    const driver = parseRemoteUrl(file.path) === undefined ? findDriverForFile(file.name) : geotiffDriver;
    if (driver === undefined) return { reason: 'the file type is not supported' };
    try {
      const headers: CoverageHeader[] = [];
      const problems: { readonly name: string; readonly reason: string }[] = [];
      let firstImage = 0;
      const source = await openRasterSource({ type: driver.type, path: file.path }, channel);
      try {
        for (const { name } of await source.listCoverages(neverAborted)) {
          const coverage = findCoverageName(driver, name, file.name);
          const description = await tryDescribe(() => source.describe(name, neverAborted));
          if (typeof description === 'string' && coverage !== undefined) problems.push({ name, reason: description });
          if (description === undefined || typeof description === 'string') continue;
          if (coverage !== undefined) headers.push(buildHeader(file, { coverage, description, driver, firstImage }));
          firstImage += countPictures(description.dimensions);
        }
      } finally {
        await source.close();
      }
      if (headers.length === 0)
        return { reason: problems[0]?.reason ?? 'it contains none of the coverages in the definition' };
      return {
        coverages: headers,
        warnings: problems.map(
          ({ name, reason }) => `'${formatExcerpt(name)}' in '${formatExcerpt(file.name)}' is skipped: ${reason}.`,
        ),
      };
    } catch (error) {
      if (error instanceof Problem) return { reason: formatReason(error) };
      if (error instanceof CollectorError) return { reason: error.message };
      throw error;
    }
  };

  return { read, systems };
}

/** Describes a variable or returns the reason for the failure: other variables of the file may be valid. */
async function tryDescribe(
  describe: () => Promise<CoverageDescription | undefined>,
): Promise<CoverageDescription | string | undefined> {
  try {
    return await describe();
  } catch (error) {
    if (error instanceof Problem) return formatReason(error);
    throw error;
  }
}

/** Returns the number of images of a coverage: one for each combination of dimension values. */
export function countPictures(dimensions: readonly CoverageDimension[]): number {
  return dimensions.reduce((product, { values }) => product * values.length, 1);
}

function computeOutline({ grid: { width, height, transform } }: CoverageDescription): readonly number[] {
  if (transform === undefined) throw new CollectorError('it is not georeferenced');
  const { originX, columnX, rowX, originY, columnY, rowY } = transform;
  const computeCorner = (column: number, row: number) => [
    originX + column * columnX + row * rowX,
    originY + column * columnY + row * rowY,
  ];
  const isUpright = columnY === 0 && rowX === 0 && columnX > 0 && rowY > 0;
  // Upwards from the lower left corner, which is usually the start of the last row.
  return isUpright
    ? [...computeCorner(0, 0), ...computeCorner(0, height), ...computeCorner(width, height), ...computeCorner(width, 0)]
    : [
        ...computeCorner(0, height),
        ...computeCorner(0, 0),
        ...computeCorner(width, 0),
        ...computeCorner(width, height),
      ];
}

/** The message of a problem names the file, which the caller already names. */
function formatReason({ message, details }: Problem): string {
  const { reason } = details as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : message.replace(/\.$/, '');
}
