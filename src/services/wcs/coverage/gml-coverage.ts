/** Writes a coverage as GML, with its samples as text or with a reference to a file. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { CoverageBand } from '../../../catalog/kinds/coverage.ts';
import type { Bounds } from '../../../crs/bounds.ts';
import type { WrittenRaster } from '../../../formats/geotiff/geotiff.ts';
import { resolveAxes } from './axes.ts';
import { namespaces, XML_HEAD } from './documents.ts';
import { writeCoverageFunction, writeDomainSet, writeEnvelope, writeRangeType } from './grid-documents.ts';

export interface TextCoverage {
  readonly id: string;
  readonly raster: WrittenRaster;
  readonly bounds: Bounds;
  /** The described bands, in the order of the raster. */
  readonly bands: readonly CoverageBand[];
}

/** Yields one row or more at a time. */
export async function* writeGmlWithSamples(coverage: TextCoverage): AsyncGenerator<string> {
  const [before, behind] = await writeAroundRange(coverage);
  yield `${before}<gml:DataBlock><gml:rangeParameters/><gml:tupleList cs="," ts=" " decimal=".">`;
  const { width, height } = coverage.raster;
  const rowsPerPiece = Math.max(1, Math.floor(SAMPLES_PER_PIECE / (width * coverage.raster.bands.length)));
  for (let row = 0; row < height; row += rowsPerPiece) {
    yield formatTuples(coverage.raster, row * width, Math.min(height, row + rowsPerPiece) * width);
    await othersFirst();
  }
  yield `</gml:tupleList></gml:DataBlock>${behind}`;
}

const SAMPLES_PER_PIECE = 20_000;

/** Writes the nil value for missing data. */
function formatTuples({ bands }: WrittenRaster, from: number, to: number): string {
  let text = '';
  for (let place = from; place < to; place += 1) {
    for (const [index, { samples, mask, described }] of bands.entries()) {
      const isThere = mask === undefined || mask[place] !== 0;
      text += `${index === 0 ? '' : ','}${isThere ? (samples[place] ?? 0) : (described.noData ?? 0)}`;
    }
    text += ' ';
  }
  return text;
}

/** The samples are in another part of the multipart message, referenced by its content id. */
export async function writeGmlWithFile(coverage: TextCoverage, contentId: string, mediaType: string): Promise<string> {
  const [before, behind] = await writeAroundRange(coverage);
  return `${before}<gml:File><gml:rangeParameters/><gml:fileReference>cid:${contentId}</gml:fileReference><gml:fileStructure>Record Interleaved</gml:fileStructure><gml:mimeType>${mediaType}</gml:mimeType></gml:File>${behind}`;
}

async function writeAroundRange({ id, raster, bounds, bands }: TextCoverage): Promise<readonly [string, string]> {
  const axes = await resolveAxes(raster.crs);
  return [
    `${XML_HEAD}<gmlcov:RectifiedGridCoverage gml:id="${id}" ${namespaces}>
${writeEnvelope({ bounds }, axes, [])}${writeDomainSet(raster, axes, id)}<gml:rangeSet>`,
    `</gml:rangeSet>
${writeCoverageFunction(axes)}${writeRangeType(bands)}</gmlcov:RectifiedGridCoverage>
`,
  ];
}
