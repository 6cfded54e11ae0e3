/** The hyparquet library, of which only the parser of file structures and the decoders of single pages are used. */
export { parquetHeader } from 'hyparquet/src/column.js';
export { deltaBinaryUnpack, deltaLengthByteArray } from 'hyparquet/src/delta.js';
export { byteStreamSplit } from 'hyparquet/src/encoding.js';
export { parquetMetadata, parquetSchema } from 'hyparquet/src/metadata.js';
export { readPlain } from 'hyparquet/src/plain.js';
export { snappyUncompress } from 'hyparquet/src/snappy.js';
export type {
  ColumnMetaData,
  CompressionCodec,
  FileMetaData,
  PageHeader,
  SchemaElement,
  SchemaTree,
} from 'hyparquet/src/types.js';
