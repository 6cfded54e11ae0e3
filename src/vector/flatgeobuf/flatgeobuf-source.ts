/** FlatGeobuf files behind the vector port. */
import type { RangeChannel } from '../../remote/channel.ts';
import type { VectorSource } from '../port/port.ts';
import { openRemoteRowFile, openRowFile, openRowFolder, type RowFormat } from '../support/row-source.ts';
import { readFeatures } from './read-features.ts';
import { countFeatures, describeTable, type FlatgeobufTable, readTable } from './table.ts';

const flatgeobuf: RowFormat<FlatgeobufTable> = {
  title: 'FlatGeobuf',
  extension: 'fgb',
  readTable,
  describe: describeTable,
  countRows: countFeatures,
  readFeatures,
};

export function openFlatgeobufFile(path: string): VectorSource {
  return openRowFile(flatgeobuf, path);
}

export function openFlatgeobufFolder(folder: string): VectorSource {
  return openRowFolder(flatgeobuf, folder);
}

export function openRemoteFlatgeobuf(url: string, channel: RangeChannel | undefined): VectorSource {
  return openRemoteRowFile(flatgeobuf, url, channel);
}
