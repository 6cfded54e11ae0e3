/** Writes the grid and the bands of a coverage as GML. */
import type { CoverageBand } from '../../../catalog/kinds/coverage.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import type { DimensionValue } from '../../../raster/pictures/dimension-options.ts';
import type { Grid } from '../../../raster/port/port.ts';
import { writeTextElement } from '../../ows/capabilities-parts.ts';
import { type Axes, orderAxes } from './axes.ts';

/** A dimension other than x and y, with its values if they are few. */
export interface DescribedDimension {
  readonly name: string;
  readonly kind: 'time' | 'elevation' | 'custom';
  readonly unit: string;
  /** The minimum and the maximum. */
  readonly ends: readonly DimensionValue[];
  /** Empty if there are too many. */
  readonly values: readonly DimensionValue[];
}

/** Includes the time of the coverage, if it has one. */
export function writeEnvelope(
  { bounds }: Pick<Grid, 'bounds'>,
  axes: Axes,
  dimensions: readonly DescribedDimension[],
): string {
  if (bounds === undefined) return '';
  const lower = orderAxes(axes, bounds.minX, bounds.minY).join(' ');
  const upper = orderAxes(axes, bounds.maxX, bounds.maxY).join(' ');
  const time = dimensions.find(({ kind, ends }) => kind === 'time' && ends.length > 0);
  const name = time === undefined ? 'gml:Envelope' : 'gml:EnvelopeWithTimePeriod';
  const labels = [...axes.labels, ...dimensions.map((each) => each.name)].map(escapeAttribute).join(' ');
  const units = [...axes.units, ...dimensions.map((each) => each.unit)].map(escapeAttribute).join(' ');
  const [begin = '', end = begin] = time?.ends.map(formatDimensionValue) ?? [];
  const period =
    time === undefined
      ? ''
      : `<gml:beginPosition>${begin}</gml:beginPosition><gml:endPosition>${end}</gml:endPosition>`;
  return `<gml:boundedBy><${name} srsName="${axes.crsUri}" axisLabels="${labels}" uomLabels="${units}" srsDimension="2"><gml:lowerCorner>${lower}</gml:lowerCorner><gml:upperCorner>${upper}</gml:upperCorner>${period}</${name}></gml:boundedBy>
`;
}

/** Formats a value as in subsets. */
export function formatDimensionValue(value: DimensionValue): string {
  return value instanceof Date ? value.toISOString() : escapeText(String(value));
}

/**
 * The origin is the centre of the first sample. Grid axes follow the axis order of the CRS, as GDAL expects: rows (j)
 * come first if north comes first.
 */
export function writeDomainSet({ width, height, transform }: Omit<Grid, 'crs'>, axes: Axes, id: string): string {
  if (transform === undefined) return '';
  const { originX, originY, columnX, columnY, rowX, rowY } = transform;
  const origin = orderAxes(axes, originX + (columnX + rowX) / 2, originY + (columnY + rowY) / 2).join(' ');
  const writeOffsetVector = (x: number, y: number) =>
    `<gml:offsetVector srsName="${axes.crsUri}">${orderAxes(axes, x, y).join(' ')}</gml:offsetVector>`;
  return `<gml:domainSet><gml:RectifiedGrid gml:id="grid00__${id}" dimension="2">
<gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>${orderAxes(axes, width - 1, height - 1).join(' ')}</gml:high></gml:GridEnvelope></gml:limits>
<gml:axisLabels>${orderAxes(axes, 'i', 'j').join(' ')}</gml:axisLabels>
<gml:origin><gml:Point gml:id="p00_${id}" srsName="${axes.crsUri}"><gml:pos>${origin}</gml:pos></gml:Point></gml:origin>
${orderAxes(axes, writeOffsetVector(columnX, columnY), writeOffsetVector(rowX, rowY)).join('')}
</gml:RectifiedGrid></gml:domainSet>
`;
}

/** Samples are ordered row by row, from the north. */
export function writeCoverageFunction(axes: Axes): string {
  return `<gml:coverageFunction><gml:GridFunction><gml:sequenceRule axisOrder="${orderAxes(axes, '+1', '+2').join(' ')}">Linear</gml:sequenceRule><gml:startPoint>0 0</gml:startPoint></gml:GridFunction></gml:coverageFunction>
`;
}

export function writeRangeType(bands: readonly CoverageBand[]): string {
  return `<gmlcov:rangeType><swe:DataRecord>
${bands.map(writeField).join('')}</swe:DataRecord></gmlcov:rangeType>
`;
}

function writeField({ name, description, minimum, maximum, nullValues, unit }: CoverageBand): string {
  const nils = nullValues.map(
    (value) =>
      `<swe:nilValue reason="http://www.opengis.net/def/nil/OGC/0/unknown">${escapeText(value)}</swe:nilValue>`,
  );
  const interval =
    minimum === null || maximum === null
      ? ''
      : `<swe:constraint><swe:AllowedValues><swe:interval>${minimum} ${maximum}</swe:interval></swe:AllowedValues></swe:constraint>`;
  return `<swe:field name="${escapeAttribute(name)}"><swe:Quantity>${writeTextElement('swe:description', description ?? '')}${nils.length === 0 ? '' : `<swe:nilValues><swe:NilValues>${nils.join('')}</swe:NilValues></swe:nilValues>`}<swe:uom code="${escapeAttribute(unit ?? '1')}"/>${interval}</swe:Quantity></swe:field>
`;
}

const domainNames = { time: 'TimeDomain', elevation: 'ElevationDomain', custom: 'DimensionDomain' } as const;

/** Writes dimension values in the extension elements of GeoServer, which its clients read to select slices. */
export function writeDimensionDomains(dimensions: readonly DescribedDimension[], id: string): string {
  const domains = dimensions.flatMap((dimension, place) => {
    const { name, kind, unit, ends } = dimension;
    const [least, greatest] = ends;
    if (least === undefined || greatest === undefined) return [];
    const usual = formatDimensionValue(kind === 'time' ? greatest : least);
    const said = kind === 'custom' ? ` name="${escapeAttribute(name)}"` : '';
    const units = kind === 'time' ? '' : ` uom="${escapeAttribute(unit)}"`;
    const inside = kind === 'time' ? writeTimeInstants(dimension, `${id}_${place}`) : writeSingleValues(dimension);
    return [
      `<wcsgs:${domainNames[kind]}${said}${units} default="${escapeAttribute(usual)}">${inside}</wcsgs:${domainNames[kind]}>\n`,
    ];
  });
  return domains.length === 0
    ? ''
    : `<gmlcov:metadata><gmlcov:Extension>\n${domains.join('')}</gmlcov:Extension></gmlcov:metadata>\n`;
}

function writeTimeInstants({ values, ends }: DescribedDimension, id: string): string {
  if (values.length === 0) {
    const [begin = '', end = ''] = ends.map(formatDimensionValue);
    return `<gml:TimePeriod gml:id="${id}_td"><gml:beginPosition>${begin}</gml:beginPosition><gml:endPosition>${end}</gml:endPosition></gml:TimePeriod>`;
  }
  return values
    .map(
      (value, index) =>
        `<gml:TimeInstant gml:id="${id}_td_${index}"><gml:timePosition>${formatDimensionValue(value)}</gml:timePosition></gml:TimeInstant>`,
    )
    .join('');
}

function writeSingleValues({ values, ends }: DescribedDimension): string {
  if (values.length === 0) {
    const [start = '', end = ''] = ends.map(formatDimensionValue);
    return `<wcsgs:Range><wcsgs:start>${start}</wcsgs:start><wcsgs:end>${end}</wcsgs:end></wcsgs:Range>`;
  }
  return values.map((value) => `<wcsgs:SingleValue>${formatDimensionValue(value)}</wcsgs:SingleValue>`).join('');
}
