/** Runs the encoder contract over Excel workbooks. */
import { writeFile } from 'node:fs/promises';
import { outputFormats } from '../../../src/formats/formats.ts';
import { encoderContract } from './encoder.contract.ts';

encoderContract({
  title: 'an Excel workbook',
  load: outputFormats.xlsx.load,
  fileExtension: 'xlsx',
  crsOf: () => ({ isNorthFirst: false }),
  configuration: { OGR_XLSX_HEADERS: 'FORCE' },
  // GDAL reads well-known text in a workbook only by way of a virtual layer.
  path: (path) => `${path}.vrt`,
  writeBeside: (path) =>
    writeFile(
      `${path}.vrt`,
      `<OGRVRTDataSource><OGRVRTLayer name="places"><SrcDataSource>${path}</SrcDataSource><GeometryField encoding="WKT" field="the_geom"/></OGRVRTLayer></OGRVRTDataSource>`,
    ),
  // The next row has a day before March 1900, which is text, so GDAL reads the column as text.
  writtenValue: (value) => (value === '2020-02-29' ? '2020/02/29' : value),
});
