/** The hyparquet-writer library, of which only the writer of row groups and its buffer are used. */
export type { SchemaElement } from 'hyparquet/src/types.js';
export { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
export { ParquetWriter } from 'hyparquet-writer/src/parquet-writer.js';
