/** Public interface of the CQL2 module: OGC API filters in text and JSON form. */
export { readCql2Json } from './json-reader.ts';
export { readCql2Text } from './text-reader.ts';
